"""What Play shows, as a file: frames drawn aside, written by a thread of their own."""
