"""Types every part shares: poses, actions, records, the policy protocol, text, seeding and errors."""
