"""What clients of remote models and embedders share: addresses, keys, connections, and their errors by what to do."""
