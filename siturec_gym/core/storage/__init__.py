"""Run folders on disk: written so that a crash, a full disk or a second writer spoils nothing."""
