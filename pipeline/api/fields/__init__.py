"""An organization's own fields."""
