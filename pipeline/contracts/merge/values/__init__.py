"""Values as contracts print them: filters, amounts in words, ready blocks."""
