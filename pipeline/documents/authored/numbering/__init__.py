"""Numbers, references and notes of a filled Word file, and their print as text."""
