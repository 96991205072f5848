"""The request, the rights of its caller, and problems."""
