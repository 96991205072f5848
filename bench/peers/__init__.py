"""The same three endpoints of leads, built on other frameworks as their own guides build them."""
