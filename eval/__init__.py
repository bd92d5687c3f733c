"""The benchmark harness: runs memory methods as experiments and reports them."""
