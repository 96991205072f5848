"""HTTP, from the web server to endpoints."""
