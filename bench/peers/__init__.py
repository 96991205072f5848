"""Three endpoints of leads, built with other frameworks as their guides recommend."""
