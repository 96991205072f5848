"""Commands that serve: web and worker processes."""
