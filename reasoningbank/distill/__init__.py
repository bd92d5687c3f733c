"""From finished attempts to what can be stored: judge, extractors, and how trajectories are shown to them."""
