"""Pages of emailed account links, without script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pyramid.response import Response

from pipeline.accounts.strength import LONGEST_PASSWORD, SHORTEST_PASSWORD
from pipeline.database import Row
from pipeline.forms.page.visit import Visit
from pipeline.forms.translations import Texts
from pipeline.validation import Invalid, Violation
from pipeline.validation.errors import Problem
from pipeline.validation.types import isolate_direction

# Lengths named in these sentences.
LENGTHS = {"name.too_long": 255, "password.too_short": SHORTEST_PASSWORD, "password.too_long": LONGEST_PASSWORD}


class Field(NamedTuple):
    """A form field; `fixed`: read-only, for password managers."""

    name: str
    type: str
    label: str
    autocomplete: str
    help: str = ""
    value: str = ""
    error: str = ""
    fixed: bool = False

    @property
    def described_by(self) -> str:
        """The ids for `aria-describedby`."""
        return " ".join(f"{letter}-{self.name}" for letter, text in (("h", self.help), ("e", self.error)) if text)


def show(
    visit: Visit,
    state: str,
    lead: Sequence[str | None] = (),
    fields: Sequence[Field] = (),
    errors: Mapping[str, str] = {},
    buttons: Sequence[tuple[str, str]] = (),
    onward: Sequence[tuple[str, str]] = (),
    status: int = 200,
    **values: str,
) -> Response:
    """Returns a state's page; 422 with errors (by field name). buttons: (value, label); onward: (URL, label)."""
    fields = [field._replace(error=errors.get(field.name, "")) for field in fields]
    summary = [field for field in fields if field.error]
    return visit.render(
        "account.html",
        422 if summary else status,
        state=state,
        heading=visit.texts(f"{state}.title", **values),
        lead=[sentence for sentence in lead if sentence] or [visit.texts(f"{state}.body", **values)],
        fields=fields,
        buttons=buttons,
        onward=onward,
        summary=summary,
    )


def activation(visit: Visit, link: Row, typed: str | None = None, errors: Mapping[str, str] = {}) -> Response:
    """The page of an invitation's link; raises 404 for a replaced link. errors: by field name."""
    visit.speak(link)
    organization = isolate_direction(link["organization_name"])
    if link["state"] in ("accepted", "declined"):
        return show(visit, link["state"], organization=organization, onward=_link_to_app(visit, link["state"]))
    if link["state"] == "expired":
        return show(visit, "activate_expired", status=410, organization=organization)
    if link["state"] == "used":  # replaced by a newer link
        raise Problem("not_found")
    t, known = visit.texts, bool(link["password_hash"])
    person = link["invited_by"] and isolate_direction(link["invited_by"])
    by = t("activate.by", person=person, organization=organization) if person else None
    name = (link["name"] or "") if typed is None else typed
    own = [Field("name", "text", t("account.name"), "name", t("account.name_help"), name), _new_password(t)]
    password = Field("password", "password", t("account.password"), "current-password")
    return show(
        visit,
        "activate",
        organization=organization,
        lead=[by or t("activate.lead", organization=organization), t("activate.known" if known else "activate.new")],
        fields=[_account(t, link), *([password] if known else own)],
        errors=errors,
        buttons=[("accept", t("activate.accept")), ("decline", t("activate.decline"))],
        onward=[("/forms/forgot" + visit.url(), t("activate.forgotten"))] if known else [],
    )


def reset(visit: Visit, link: Row, errors: Mapping[str, str] = {}) -> Response:
    """The page for a new password."""
    visit.speak(link)
    if link["state"] == "used":
        return show(visit, "reset_done", onward=_link_to_app(visit, "accepted"))
    if link["state"] == "expired":
        again = [("/forms/forgot" + visit.url(), visit.texts("reset.again"))]
        return show(visit, "reset_expired", status=410, onward=again)
    t = visit.texts
    fields = [_account(t, link), _new_password(t)]
    return show(visit, "reset", fields=fields, errors=errors, buttons=[("save", t("reset.save"))])


def forgot(visit: Visit, typed: str = "", errors: Mapping[str, str] = {}) -> Response:
    """The page that asks for an email address."""
    t = visit.texts
    field = Field("email", "email", t("account.email"), "username", value=typed)
    return show(visit, "forgot", fields=[field], errors=errors, buttons=[("send", t("forgot.send"))])


def _link_to_app(visit: Visit, state: str) -> list[tuple[str, str]]:
    address = visit.request.registry.pipeline.app_url
    return [(address, visit.texts("account.sign_in"))] if address and state == "accepted" else []


def _account(t: Texts, link: Row) -> Field:
    return Field("email", "email", t("account.email"), "username", value=link["email"], fixed=True)


def _new_password(t: Texts) -> Field:
    return Field("password", "password", t("account.new_password"), "new-password", t("account.new_password_help"))


def sentences(problem: Problem | Invalid, texts: Texts) -> dict[str, str]:
    """Sentences by field; raises any other error."""
    if isinstance(problem, Invalid):
        return {found.name: _sentence(found, texts) for found in problem.violations}
    if problem.code == "invalid_credentials":
        return {"password": texts("account.error.wrong_password")}
    if problem.code == "weak_password":
        # Untranslated advice is left out.
        advice = [f"advice.{sentence}" for sentence in problem.members["advice"]]
        keys = ["account.error.weak_password", *(key for key in advice if key in texts.words)]
        return {"password": " ".join(map(texts, keys))}
    raise problem


def _sentence(violation: Violation, texts: Texts) -> str:
    place = f"{violation.name}.{violation.code}"
    if place in LENGTHS:
        return texts(f"account.error.{place}", length=LENGTHS[place])
    return texts(f"account.error.{violation.name}")
