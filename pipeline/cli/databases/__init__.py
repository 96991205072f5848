"""Commands for the database: migrations, backups, statements."""
