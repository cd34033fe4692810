"""What happens when the user acts: motion and the rules of each tool."""
