"""Lead capture: a public form, addressed by its template's slug, whose answers become a lead.

Everything here runs under the forms login, in a context in which only the slug's template exists.
"""

import secrets

from psycopg.errors import InsufficientPrivilege

from pipeline.database import dumps, queries
from pipeline.effects import emit
from pipeline.errors import Problem
from pipeline.interviews.captured_lead import lead_of
from pipeline.interviews.consents import given_consents
from pipeline.interviews.public_service import Superseded, checked, completed, version_of
from pipeline.interviews.translations import translated

# How often a lead is stored anew whose form, or rep's seat, has changed since they were read.
ATTEMPTS = 5


def open_form(slug):
    """The id of the slug's template, whose context the transaction now has; 404 unless it captures leads."""
    form = queries.public_capture_open(slug=slug)
    if form is None:
        raise Problem("not_found")
    return form["template_id"]


def get_form(slug, logos_url, link):
    """The form: template, in the language of a Link, and organization; `logos_url` as for an interview."""
    form = queries.public_capture_get(template_id=open_form(slug), logos_url=logos_url)
    template = translated(form["template"], link.wanted())
    return {**form, "template": template, "hidden_fields": link.hidden(template.pop("hidden_fields"))}


def submit(slug, answers, rep, honeypot, spend, link):
    """Store a lead, its submitted response and the event `lead_captured`; returns {lead_created, thank_you}.

    `rep` (int or None) is the user of the link: the lead is theirs if their seat in the template's organization
    is active. With a filled `honeypot` the answer is the same and nothing is stored. `spend(template_id,
    organization_id)` counts what is about to be stored, and raises when it is too much. The Link tells the language
    in which the form was shown.
    """
    template_id = open_form(slug)
    for _ in range(ATTEMPTS):
        try:
            with queries.connection().transaction():
                return _submit(template_id, answers, rep, honeypot, spend, link)
        except (Superseded, InsufficientPrivilege):
            # The policies admit only what is true at this moment: the form's version, the rep's seat.
            continue
    raise Superseded


def _submit(template_id, answers, rep, honeypot, spend, link):
    state = queries.public_capture_state(template_id=template_id, rep=rep)
    if state is None:  # no longer a form that captures leads
        raise Problem("not_found")
    version = version_of(state["template_version_id"], *link.wanted())
    if not honeypot:
        given, _ = checked(version, answers)
        hidden = link.hidden(version["hidden_fields"])
        complete = completed(version, given, hidden, state["today"])
        spend(template_id, state["organization_id"])
        _store(template_id, state, version, hidden, *complete)
    return {"lead_created": True, "thank_you": version["thank_you"]}


def _store(template_id, state, version, hidden, answers, visible, flags):
    lead = lead_of(version, visible)
    queries.public_capture_lead(**lead, assigned_to=state["assigned_to"])
    queries.public_capture_response(
        template_id=template_id,
        template_version_id=state["template_version_id"],
        token=secrets.token_hex(32),
        recipient_email=lead["email"],
        language=version["language"],
        recipient_name=f"{lead['first_name']} {lead['last_name'] or ''}".strip()[:255],
        answers=dumps(answers).decode(),
        consents=dumps(given_consents(version["questions"], visible)).decode(),
        hidden_fields=dumps(hidden).decode(),
        rep_flags=dumps(flags).decode(),
    )
    ids = queries.public_capture_ids()
    emit("lead_captured", ids["lead_id"], {**ids, "template_id": template_id})
