"""Keeps a copy of an organization's leads by the generated Python client: take the feed's place, walk, follow.

`make clients` builds the client; `python -m experiments.feed` runs this beside writers, then compares the copy.
"""

from pipeline_client import AuthenticatedClient
from pipeline_client.api.changes import follow_changes
from pipeline_client.api.leads import list_leads
from pipeline_client.results import result

FIELDS = ("first_name", "email", "phone")


class Copy:
    """The leads of an organization by id: `leads` has the FIELDS of each."""

    def __init__(self, url, token):
        self.client = AuthenticatedClient(base_url=url, token=token, raise_on_unexpected_status=True)
        self.leads = {}
        self.place = result(follow_changes.sync(client=self.client)).next_

    def walk(self):
        last = 0
        while page := result(list_leads.sync(client=self.client, after_id=last, per_page=500)).data:
            for lead in page:
                self.keep(lead.to_dict())
            last = page[-1].id

    def follow(self):
        """Take over the next changes; whether there are more."""
        changes = result(
            follow_changes.sync(client=self.client, after=self.place, types="leads", limit=1000, include="record")
        )
        for change in changes.data:
            if change.record is None:
                self.leads.pop(change.id, None)
            else:
                self.keep(change.record.to_dict())
        self.place = changes.next_
        return changes.more

    def keep(self, lead):
        self.leads[lead["id"]] = tuple(lead[name] for name in FIELDS)
