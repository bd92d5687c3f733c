"""The bank: experiences and their vectors in one SQLite file, ranked by FAISS, behind the facade in `bank.py`."""
