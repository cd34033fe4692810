"""A person at the terminal in either role: what is shown, what may be typed, and the two policies made of it."""
