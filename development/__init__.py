"""Development only: embedded servers and what else turns a bare checkout into a running service."""
