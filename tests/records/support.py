"""Records made through the API."""

# The kinds that have ids in other systems and batches, each with a body.
KINDS = {
    "leads": {"first_name": "Pat"},
    "companies": {"name": "Engine GmbH"},
    "contacts": {"first_name": "Pat"},
    "deals": {"title": "Renewal", "value": 12.5},
}


def make(api, kind, **body):
    """A record of a kind (the path's word); returns it."""
    return api.post(f"/api/{kind}", body, status=201).json


def shown(api, path, field):
    """A field of every record in a list."""
    return [record[field] for record in api.get(path, status=200).json["data"]]
