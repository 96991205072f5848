"""Names lose invisible characters, on every way in."""

import pytest

from pipeline.validation.nested import Body
from pipeline.validation.types import Name
from tests.contracts.support import TEMPLATE as CONTRACT_TEMPLATE
from tests.contracts.support import image_file, upload
from tests.interviews.language import question
from tests.interviews.language import template as interview_of
from tests.leads.csv_files import imported
from tests.support import TEMPLATE

UNSEEN = {
    "zero-width space": "\u200b",
    "non-joiner": "\u200c",
    "joiner": "\u200d",
    "soft hyphen": "\u00ad",
    "byte order mark": "\ufeff",
    "word joiner": "\u2060",
    "direction mark": "\u200f",
    "Arabic letter mark": "\u061c",
    "Mongolian separator": "\u180e",
    "Mongolian selector": "\u180b",
    "grapheme joiner": "\u034f",
    "emoji selector": "\ufe0f",
    "selector of ideographs": "\U000e0100",
    "tags": "\U000e0061\U000e007f",
    "Hangul filler": "\u3164",
    "a selector before a joiner": "\ufe0f\u200d",
}
ALL = "".join(UNSEEN.values())
ADA = f"{ALL}A{ALL}da{ALL}"


@pytest.mark.parametrize("sign", UNSEEN.values(), ids=UNSEEN)
def test_a_name_loses_a_sign_that_nobody_sees(sign):
    assert Name().load(f"{sign}A{sign}da {sign}Lovelace{sign}") == "Ada Lovelace"


SHAPED = {
    "Persian": "علی\u200cرضا",
    "Hindi": "श्री\u200dराम क्\u200cष",
    "Malayalam": "രാജന്\u200d",
    "Bengali": "র\u200d্যাব",
    "Mongolian": "ᠠ\u180b",
    "Japanese": "葛\U000e0100城",
    "emoji of several": "Ada 👩🏽\u200d🚀 ❤\ufe0f\u200d🔥",
    "keycap": "Team 1\ufe0f\u20e3",
    "flag": "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
}


@pytest.mark.parametrize("name", SHAPED.values(), ids=SHAPED)
def test_a_name_keeps_signs_that_shape_the_letters_and_emoji_before_them(name):
    assert Name().load(name) == name


# {path: (a body without its name, the fields of names)}.
RECORDS = {
    "leads": ({}, ("first_name", "last_name", "company")),
    "contacts": ({}, ("first_name", "last_name")),
    "companies": ({}, ("name",)),
    "deals": ({}, ("title",)),
    "teams": ({}, ("name",)),
    "deal-stages": ({}, ("name",)),
    "interview-templates": (TEMPLATE, ("name",)),
    "contract-templates": (CONTRACT_TEMPLATE, ("name",)),
    "clauses": ({"key": "agreed", "content": "<p>As agreed.</p>"}, ("name",)),
    "api-keys": ({"scopes": ["leads:read"]}, ("name",)),
    "users": ({"email": "ada@new.example", "role": "member"}, ("name",)),
}


@pytest.mark.parametrize("kind", RECORDS)
def test_a_record_loses_what_nobody_sees_of_its_names(admin, kind):
    body, fields = RECORDS[kind]
    names = dict.fromkeys(fields, ADA)
    made = admin.post(f"/api/{kind}", {**body, **names}, status=201).json
    admin.patch(f"/api/{kind}/{made['id']}", dict.fromkeys(fields, "Eva"), status=200)
    changed = admin.patch(f"/api/{kind}/{made['id']}", names, status=200).json
    assert [[shown[field] for field in fields] for shown in (made, changed)] == [["Ada"] * len(fields)] * 2


def test_an_organization_and_its_people_lose_what_nobody_sees_of_their_names(admin):
    changed = admin.patch("/api/organization", {"name": ADA, "legal_name": ADA}, status=200).json
    assert (changed["name"], changed["legal_name"]) == ("Ada", "Ada")
    assert admin.patch("/api/auth/me", {"name": ADA}, status=200).json["user"]["name"] == "Ada"


def test_batches_and_imports_lose_what_nobody_sees_of_names(organization, member):
    member.post("/api/leads/batch", {"create": [{"first_name": ADA}]}, status=200)
    imported(member, f"first_name,last_name,company,email\n{ADA},{ADA},{ADA},ada@new.example\n")
    stored = [[lead[name] for name in ("first_name", "last_name", "company")] for lead in organization.leads()]
    assert stored == [["Ada", None, None], ["Ada", "Ada", "Ada"]]


def test_an_invite_and_its_prospect_lose_what_nobody_sees_of_names(organization, anonymous):
    hints = {"lead_fields": {"name": "your_name"}}
    form = organization.public_form(**interview_of(question("your_name", required=True)), hints=hints)
    assert organization.invite(form, recipient_name=ADA)["recipient_name"] == "Ada"
    path = f"/api/public/interview/capture/{form['public_slug']}/submit"
    anonymous.post(path, {"answers": {"your_name": ADA}}, status=201)
    assert organization.leads()[0]["first_name"] == "Ada"


def test_a_picture_loses_what_nobody_sees_of_the_name_of_its_file(admin):
    for filename, name in ((f"{ADA}.png", "Ada"), (f"{ALL}.png", "picture")):
        picture = upload(admin, "/api/pictures", image_file("PNG"), filename, "picture", status=201).json
        assert (picture["name"], picture["filename"]) == (name, f"{name}.png")


def bodies(kind=Body):
    for body in kind.__subclasses__():
        yield from (body, *bodies(body))


FIELDS = {"name", "first_name", "last_name", "legal_name", "company", "recipient_name", "deal_name"}


def test_every_field_of_a_name_loses_what_nobody_sees(wsgi):
    others = {
        (body.__name__, field.name)
        for body in bodies()
        for field in body.__all_schema_nodes__
        if field.name in FIELDS and not isinstance(field.typ, Name)
    }
    assert others == set()
