"""SWE-bench itself: its published sets of instances, the images of their containers, and the files of its scoring."""
