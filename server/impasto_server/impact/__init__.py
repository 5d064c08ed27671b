"""What a change of a brand affects: the assets made with its old values, and making them again."""
