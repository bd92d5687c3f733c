"""Local servers that speak the providers' wire protocols, for tests."""
