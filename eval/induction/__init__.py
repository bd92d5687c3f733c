"""Banks out of stored attempts, and banks as they are looked at."""
