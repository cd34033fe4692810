"""The moderator, asked whether a conversation has ended."""
