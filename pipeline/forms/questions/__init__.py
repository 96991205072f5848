"""Questions and answers as text, controls and form fields."""
