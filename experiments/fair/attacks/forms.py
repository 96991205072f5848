"""Hosted forms at the limits of a template, requested in parallel, and tables of their answers."""

from contextlib import closing

from experiments.fair.attacks.heavy import lists
from experiments.fair.http import Client

CROWD = 16
# So that a process cannot keep the last ones alone, and no invite's own limit is spent.
TEMPLATES, INVITES = 45, 16
CONSENTS = 235
MATRICES, ON_A_PAGE, ROWS, COLUMNS = 150, 3, 30, 10
SCALES, SCALES_ON_A_PAGE = 300, 9


def paged(questions, number):
    """A template's questions, so many on each page."""
    keys = [question["key"] for question in questions]
    pages = [{"key": f"p{first}", "questions": keys[first : first + number]} for first in range(0, len(keys), number)]
    return {"pages": pages, "questions": questions}


def bomb(number):
    """A template with nearly as many marks of Markdown as it may have, none of them like another template's."""
    label = f"{number} " + "a**b*" * 4
    consents = [{"key": f"c{place}", "type": "consent", "label": f"{label}{place}"} for place in range(CONSENTS)]
    return paged(consents, CONSENTS)


def matrices():
    """150 matrices of 30 rows and 10 columns, as many on a page as it may have."""
    rows, columns = ([{"value": f"v{place}", "label": "L"} for place in range(count)] for count in (ROWS, COLUMNS))
    matrix = {"type": "matrix", "label": "M", "rows": rows, "columns": columns}
    return paged([{"key": f"m{place}", **matrix} for place in range(MATRICES)], ON_A_PAGE)


def scales():
    """300 scales of 101 steps, as many on a page as it may have."""
    scale = {"type": "scale", "label": "S", "min": 0, "max": 100}
    return paged([{"key": f"s{place}", **scale} for place in range(SCALES)], SCALES_ON_A_PAGE)


def invites(field, template, name, number):
    """So many new invites to a new template."""
    with closing(field.user(0)) as maker:
        made = field.make(maker, "/api/interview-templates", {"name": name, "slug": name, **template})
        body = {"template_id": made["id"], "recipient_email": "pat@prospect.example"}
        return [field.make(maker, "/api/interview-invites", body) for _ in range(number)]


def look(field, made, steps):
    """Sixteen at once look at one step after another of all these invites."""

    def turn(_index, turn):
        token, step = made[turn % len(made)]["token"], steps[turn // len(made) % len(steps)]
        with closing(Client(field.port, source=field.source(turn))) as client:
            field.ask(client, "GET", f"/forms/interview/{token}?step={step}")

    field.crowd(CROWD, turn)


def marks(field):
    """Forms of 45 templates that are full of Markdown."""
    made = [invites(field, bomb(number), f"marks-{number}", 1)[0] for number in range(TEMPLATES)]
    look(field, made, ["p0", "check-answers"])


def pages(field, template):
    """The first pages of a form at the limits, and its review."""
    keys = [page["key"] for page in template["pages"]]
    look(field, invites(field, template, template["questions"][0]["type"], INVITES), [*keys[:3], "check-answers"])


def answer_tables(field):
    """Sixteen reps at once ask for the table of an invite with 4,500 answers."""
    (invite,) = invites(field, matrices(), "tables", 1)
    rows = {f"v{row}": "v0" for row in range(ROWS)}
    answers = {f"m{place}": rows for place in range(MATRICES)}
    with closing(Client(field.port, source=field.source(0))) as prospect:
        field.ask(prospect, "PATCH", f"/api/public/interview/{invite['token']}", {"answers": answers})
    lists(field, CROWD, f"/api/interview-invites/{invite['id']}/responses.csv")
