"""Calls operations by name, and records requests and responses without values that vary between runs."""

import json
import re
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

from tests.leads.csv_files import FORM, multipart

# What a run puts into an answer that the next run would put there differently, or that looks like a secret.
SECRETS = {
    "access_token": "<access token>",
    "refresh_token": "<refresh token>",
    "prefix": "pl_1a2b3",
    "password": "<password>",
    "current_password": "<password>",
    "new_password": "<new password>",
    "secret": "whsec_" + "1a2B" * 10 + "1a2=",
    "message_id": "msg_" + "1a2b" * 8,
    **dict.fromkeys(("after", "next", "cursor"), "3a1-0-697dcd38"),
}
# A form's token, a file's digest, a request's id.
HEXADECIMAL = re.compile("[0-9a-f]{64}|[0-9a-f]{32}")
KEY = re.compile(r"pl_[A-Za-z0-9]{43}")
# A link that is signed until a time, as of a preview.
SIGNED = re.compile(r"/eyJ[\w.-]+")
TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
WRITTEN = "%Y-%m-%dT%H:%M:%S.%fZ"
BEGINNING = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
HOUR = timedelta(hours=1)
# The term of the contract, which begins in the year of the run: it would be over one day.
TERM = ("effective_date", "termination_date")


class Recorder:
    """Records calls; `document` is the OpenAPI document that names the operations."""

    def __init__(self, document):
        self.operations = {
            operation["operationId"]: (method.upper(), path)
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
        }
        self.began = datetime.now(UTC)
        self.recorded = {}

    def call(self, api, operation, body=None, query=None, upload=None, headers=None, **path):
        """The response to an operation, called by a client (Api); its first call becomes its example.

        `upload` is (field, filename, content) of the file that is sent in a body's place.
        """
        method, pattern = self.operations[operation]
        url = pattern.format(**path)
        if query:
            url += "?" + urlencode({name: str(value).lower() for name, value in query.items()})
        if upload:
            field, filename, content = upload
            form = multipart(content, field, filename)
            response = api.request(method, url, raw=form, headers={"Content-Type": FORM, **(headers or {})})
        else:
            response = api.request(method, url, body)
        assert response.status_int < 300, (operation, response.text)
        example = self.recorded.setdefault(operation, {"path": path, "query": query or {}})
        if body is not None:
            example.setdefault("body", body)
        if (response.content_type or "").endswith("json"):
            example.setdefault("answers", {}).setdefault(str(response.status_int), response.json)
        elif (response.content_type or "").startswith("text/"):
            example.setdefault("answers", {}).setdefault(str(response.status_int), response.text)
        return response

    def text(self):
        examples = {name: self.settled(self.recorded[name]) for name in sorted(self.recorded)}
        return json.dumps(examples, indent=1, ensure_ascii=False) + "\n"

    def settled(self, value, name=None):
        """A recorded value as every run would have it; `name` is that of the member that it is."""
        if isinstance(value, dict):
            return {key: self.settled(member, key) for key, member in value.items()}
        if isinstance(value, list):
            return [self.settled(member) for member in value]
        if not isinstance(value, str):
            return value
        if name in SECRETS:
            return SECRETS[name]
        if name in TERM:
            return f"{int(value[:4]) - self.began.year + BEGINNING.year}{value[4:]}"
        shown = SIGNED.sub("/eyJhbGciOiJIUzI1NiJ9.signed", KEY.sub("<API key>", value))
        shown = HEXADECIMAL.sub(lambda found: "1a2b" * (len(found[0]) // 4), shown)
        text = TIMESTAMP.sub(self.shifted, shown)
        return text.replace(f"-{self.began.year}-", f"-{BEGINNING.year}-")

    def shifted(self, match):
        """A time of this run as if it had begun at BEGINNING, to the hour."""
        since = datetime.strptime(match[0], WRITTEN).replace(tzinfo=UTC) - self.began
        return (BEGINNING + round(since / HOUR) * HOUR).strftime(WRITTEN)
