"""What runs at night or on demand: attacks, failures, mutations, long comparisons. `make help` lists the commands."""
