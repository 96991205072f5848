"""Documents small and large, and the processes that render them."""

from pipeline import documents
from tests.documents.support import document, pdf_text

SMALL = document("<p>a small contract</p>")
# Takes a minute or two, and a gigabyte or two, if it is let.
LARGE = document("<table>" + "<tr><td>cell</td><td>cell</td></tr>" * 15_000 + "</table>")


def still_answers():
    """Whether the next document is rendered."""
    return "a small contract" in pdf_text(documents.render("pdf", SMALL))


def children_of(pid):
    """The processes that render for a renderer; none when it is gone."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(child) for child in file.read().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def raising(error):
    """A function that takes anything and raises this error."""

    def fail(*_arguments, **_options):
        raise error

    return fail
