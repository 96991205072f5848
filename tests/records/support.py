"""Records made through the API."""


def make(api, kind, **body):
    """A record of a kind (the path's word); returns it."""
    return api.post(f"/api/{kind}", body, status=201).json


def shown(api, path, field):
    """A field of every record in a list."""
    return [record[field] for record in api.get(path, status=200).json["data"]]
