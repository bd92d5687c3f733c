"""The embedded suite of repairs: small libraries with a defect each, in the schema of SWE-bench."""
