"""What runs came to: figures, tables and plots, made from run folders alone."""
