# The kinds that have ids in other systems and batches, each with a body.
KINDS = {
    "leads": {"first_name": "Pat"},
    "companies": {"name": "Engine GmbH"},
    "contacts": {"first_name": "Pat"},
    "deals": {"title": "Renewal", "value": 12.5},
}


def make(api, kind, **body):
    return api.post(f"/api/{kind}", body, status=201).json


def shown(api, path, field):
    return [record[field] for record in api.get(path, status=200).json["data"]]
