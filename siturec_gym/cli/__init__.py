"""The siturec command: one module a command."""
