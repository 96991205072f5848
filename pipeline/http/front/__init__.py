"""The way in and out: server, ingress, compression, health and metrics."""
