"""The ways to search, whatever the statistics say: few hits sorted, many gathered, or the leads read in their order."""

from pipeline.leads import service

# How many hits there are said to be; where they are frequent, the leads are read.
WAYS = ["rare", "common", "frequent"]


def search_by(monkeypatch, way):
    """Let every search of the test be answered in one of the WAYS."""
    found = service.search_words

    def search_words(filters):
        words = found(filters)
        return {**words, "rare": way == "rare" or None, "common": way == "common" or None} if words else words

    monkeypatch.setattr(service, "search_words", search_words)
