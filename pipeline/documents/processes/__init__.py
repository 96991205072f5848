"""The processes that render and convert documents, and their pool."""
