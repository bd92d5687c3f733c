"""mini-swe-agent's own loop, on our models and our environments: nothing of it is copied, and none of its clients used.

`load` brings it in, `model` and `shell` are what it drives, `export` writes its format of trajectories. They meet in
`progress`: what an attempt has come to.
"""
