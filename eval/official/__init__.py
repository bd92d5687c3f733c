"""The official repository's prompts, out of a user's own clone of it, as packs of ours."""
