"""Looking whether a mapping file and an Unreal store fit each other, and what to change where they do not."""
