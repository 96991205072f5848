"""Interview templates, invites, prospects' answers and the responses that reps read."""
