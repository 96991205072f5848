"""Contract templates: their clauses, pictures, Word files and previews."""
