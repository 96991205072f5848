"""Development only: embedded servers, demo data and generators of files."""
