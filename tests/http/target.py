"""The target of bad requests, and the form of every refusal."""

from typing import NamedTuple

from pipeline.validation.errors.codes import CODES
from tests.support import TEMPLATE, Api, interview

FIELDS = {"type", "title", "status", "code", "detail", "request_id"}


class Endpoint(NamedTuple):
    """Who sends what where: a person of the organization (None: nobody), a method, a path and a good body."""

    person: str | None
    method: str
    path: str
    body: dict


class Target:
    """An organization with a template and an invite; `send` speaks to an endpoint by its short name."""

    def __init__(self, organization):
        self.organization = organization
        self.owner, self.app = organization.owner, organization.app
        template = organization.template()
        invite = organization.invite(template)
        invite_body = {"template_id": template["id"], "recipient_email": "pat@prospect.example"}
        self.endpoints = {
            "login": Endpoint(None, "POST", "/api/auth/login", {"email": "pat@prospect.example", "password": "secret"}),
            "refresh": Endpoint(None, "POST", "/api/auth/refresh", {"refresh_token": "unknown"}),
            "create template": Endpoint("admin", "POST", "/api/interview-templates", {**TEMPLATE, "slug": "new"}),
            "replace template": Endpoint(
                "admin", "PUT", f"/api/interview-templates/{template['id']}", {**TEMPLATE, "name": "Replaced"}
            ),
            "create invite": Endpoint("member", "POST", "/api/interview-invites", invite_body),
            "save answers": Endpoint(None, "PATCH", interview(invite), {"answers": {"seats": 5}}),
            "submit": Endpoint(None, "POST", interview(invite) + "/submit", {"answers": {"seats": 5}}),
        }
        self.template, self.invite = template, invite

    def client(self, endpoint):
        """The API client of the endpoint's caller."""
        return getattr(self.organization, endpoint.person) if endpoint.person else Api(self.app)

    def send(self, name, raw, content_type="application/json", query="", **headers):
        """The response to bytes as the body of an endpoint's request."""
        endpoint = self.endpoints[name]
        headers = {**self.client(endpoint).headers, **headers}
        if content_type is not None:
            headers["Content-Type"] = content_type
        return self.app.request(endpoint.path + query, method=endpoint.method, body=raw, headers=headers, status="*")

    def stored(self):
        """Everything that the organization owns."""
        return self.organization.rows()


def assert_problem(response, status, code=None):
    """`response` is a complete problem document with this status (and code), and nothing internal is in it."""
    assert response.status_int == status, response.text[:500]
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.content_type == "application/problem+json"
    body = response.json
    assert body.keys() >= FIELDS
    assert body["status"] == status == CODES[body["code"]].status
    assert code in (None, body["code"])
    assert body["type"] == f"/docs/errors#{body['code']}"
    assert body["request_id"] == response.headers["X-Request-Id"]
    assert all(error.keys() == {"location", "name", "code", "message"} for error in body.get("errors", []))
    for internal in ("Traceback", "psycopg", "site-packages", "SELECT", '.py\\", line'):
        assert internal not in response.text
