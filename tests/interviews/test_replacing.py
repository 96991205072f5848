import pytest

from tests.forms.paper import Paper
from tests.interviews.language import question, template
from tests.support import codes, interview

ADDRESS = {"street": "Hauptstraße 1", "city": "München", "country": "DE"}
OPTIONS = [{"value": value, "label": value} for value in ("a", "b", "c")]
PROMPTS = [
    ({"type": "email"}, "ada@example.com", "ada@", "invalid_email"),
    ({"type": "date"}, "2031-02-03", "2031-02-31", "invalid_date"),
    ({"type": "number", "min": 5}, 7, 1, "out_of_range"),
    ({"type": "short_text", "pattern": "[A-Z]+"}, "ABC", "abc", "invalid_format"),
    ({"type": "multi_choice", "options": OPTIONS, "min_selected": 2}, ["a", "b"], ["c"], "too_few"),
    ({"type": "address", "required": True}, ADDRESS, {"street": "Hauptstraße 2"}, "required"),
]


def form(**it):
    """A template's pages: a first one, and one with this question and a free one."""
    pages = [{"key": "first", "questions": ["more"]}, {"key": "all", "questions": ["it", "notes"]}]
    return template(question("more"), question("it", label="It", **it), question("notes"), pages=pages)


@pytest.fixture
def invite(organization):
    return lambda **question: organization.invite(organization.template(**form(**question)))


@pytest.mark.parametrize(("question", "valid", "wrong", "code"), PROMPTS)
def test_half_an_answer_replaces_none_or_another_half_and_by_the_api_no_valid_one(
    question, valid, wrong, code, invite, anonymous
):
    path = interview(invite(**question))
    for given in (wrong, wrong, valid):
        assert anonymous.patch(path, {"answers": {"it": given}}, status=200).json["answers"] == {"it": given}
    refused = anonymous.patch(path, {"answers": {"it": wrong, "notes": "x"}}, status=422)
    assert {(name.split(".")[1], found) for name, found in codes(refused)} == {("it", code)}
    assert anonymous.get(path).json["answers"] == {"it": valid}
    assert anonymous.patch(path, {"answers": {"it": None}}, status=200).json["answers"] == {}


def test_an_address_that_is_optional_may_lose_a_line(invite, anonymous):
    path = interview(invite(type="address"))
    anonymous.patch(path, {"answers": {"it": ADDRESS}}, status=200)
    anonymous.patch(path, {"answers": {"it": {"city": "Bonn"}}}, status=200)


@pytest.fixture(params=["interview", "capture"])
def paper(request, organization, anonymous):
    """The page with a required email address and a text, of an interview and of a public form; the address is valid."""
    made = organization.public_form(**form(type="email", required=True))
    address = organization.invite(made)["token"] if request.param == "interview" else organization.name
    page = Paper(anonymous.app, f"/forms/{request.param}/{address}").press().fill(it="ada@example.com").press()
    return page.open(page.path.replace("step=check-answers", "step=all"), status=200)


def test_a_page_says_that_the_earlier_answer_stays_and_keeps_the_rest(paper):
    page = paper.path
    paper.fill(it="ada@", notes="Steam").press(status=422)
    assert paper.errors() == {"it": "Enter an email address such as name@example.com for “It”."}
    assert (paper.value("it"), paper.value("notes")) == ("ada@", "Steam")
    assert paper.text("#kept") == ["Could not be saved, the earlier answer stays: It"]
    assert paper.html.select_one("#kept a")["href"] == "#q-it"
    paper.open(page, status=200)
    assert (paper.value("it"), paper.value("notes"), paper.text("#kept")) == ("ada@example.com", "Steam", [])
