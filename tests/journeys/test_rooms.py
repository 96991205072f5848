"""The folders of `pipeline` through which a request passes, from its view on; those of every process are left out."""

import sys
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

from tests.forms.paper import Paper
from tests.interviews.language import question, template

PACKAGE = Path(__file__).resolve().parents[2] / "pipeline"


@contextmanager
def followed(view):
    """Yields the calls by folder, of the first two levels, while a function of this name runs."""
    rooms, inside = Counter(), []

    def profile(frame, event, _given):
        if event not in ("call", "return") or not frame.f_code.co_filename.startswith(f"{PACKAGE}/"):
            return
        if event == "call" and (inside or frame.f_code.co_name == view):
            inside.append(frame)
            rooms["/".join(Path(frame.f_code.co_filename).relative_to(PACKAGE).parts[:-1][:2])] += 1
        elif event == "return" and inside:
            inside.pop()

    sys.setprofile(profile)
    try:
        yield rooms
    finally:
        sys.setprofile(None)
        del rooms["process"]


def test_the_body_of_a_lead_passes_through_five_rooms(member):
    body = {"first_name": "Ada", "email": "ada@example.com"}
    with followed("call_view") as rooms:
        member.post("/api/leads", body, status=201)
    assert {*rooms} == {"api", "api/fields", "database", "leads", "validation"}


def test_a_further_step_of_a_public_form_passes_through_seven_rooms(organization, anonymous):
    pages = [{"key": key, "questions": [key]} for key in ("name", "city")]
    form = organization.public_form(**template(question("name"), question("city"), pages=pages))
    page = Paper(anonymous.app, f"/forms/capture/{form['public_slug']}").fill(name="Ada").press()
    with followed("advance") as rooms:
        page.fill(city="Hull").press()
    forms, interviews = ("interview", "page", "questions"), ("answers", "templates")
    inner = {*(f"forms/{room}" for room in forms), *(f"interviews/{room}" for room in interviews)}
    assert {*rooms} == {*inner, "database", "validation"}
