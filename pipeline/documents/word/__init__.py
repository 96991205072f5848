"""."""
def render(document):
    return b""
