"""The source files of a new lead and of a form's save stand in `files.txt`, in order, with a sentence each."""

from tests.forms.paper import Paper
from tests.http.files import FILE, files_of


def test_the_recorded_files_are_those_of_today(anonymous, organization):
    paper = Paper(anonymous.app, f"/forms/interview/{organization.invite()['token']}").fill(product_line="server")
    path, pairs = paper.path.partition("?")[0], dict(paper.form_pairs("next"))
    lead = {"first_name": "Ada", "email": "ada@example.com"}
    acts = {
        "POST /api/leads": lambda: organization.member.post("/api/leads", lead, status=201),
        "POST /forms/interview/{token}": lambda: anonymous.app.post(path, pairs, status=303),
    }
    for act in acts.values():
        act()  # fills the caches
    found = "".join(f"{name}\n{''.join(files_of(act))}" for name, act in acts.items())
    assert FILE.read_text() == found, found
