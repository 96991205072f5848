"""In front of the endpoints: server, ingress, compression, health and metrics."""
