"""Files as answers, uploaded and removed on a page."""

import pytest

from tests.files import hostile_pdf
from tests.interviews.language import question

WITH_SCRIPT, _ = hostile_pdf.FILES["an action that names JavaScript by a reference"]


def test_files_are_uploaded_with_whatever_else_the_page_holds_and_taken_away_again(ask):
    paper = ask(type="file", max_files=2, accept=["txt", "pdf"])
    assert paper.text("#n-it") == ["Up to 2 files of at most 10 MiB each: TXT, PDF."]
    assert paper.html.select_one("#f-it")["accept"] == ".txt,.pdf"
    paper.attach("it", "a.txt", b"one").attach("it", "<b>.txt", b"two").press("upload:it")
    assert (paper.step, paper.text(".files bdi")) == ("one", ["a.txt", "b.txt"])
    assert paper.html.select_one("#f-it").name == "p"
    remove = paper.html.select_one(".files button")
    assert remove["aria-label"] == "Remove the file a.txt"
    assert paper.press(remove["value"]).text(".files bdi") == ["b.txt"]
    assert paper.press().text("dd:not(.change)") == ["b.txt (1 kB)"]
    assert paper.press("submit").stored()["it"][0]["filename"] == "b.txt"


def test_continue_uploads_what_was_chosen(ask):
    paper = ask(type="file", required=True).press(status=422)
    assert paper.text("#errors a") == ["Upload a file for “It”."]
    assert paper.attach("it", "a.csv", b"a,b").press().text("dd:not(.change)") == ["a.csv (1 kB)"]


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.b__c.exe", b"MZ", "This file has the wrong type. Choose a file of the type TXT, PDF."),
        ("a.pdf", b"MZ", "This file is damaged, or is not what its name says."),
        ("a.pdf", WITH_SCRIPT(), "This file holds a password, macros, scripts or other active content."),
        ("a.txt", b"a" * 1_100_000, "Please choose a file of at most 1 MiB."),
        ("a\u202ecod.txt", b"one", ""),
    ],
)
def test_a_file_that_cannot_be_taken_is_refused_beside_its_question(name, content, sentence, ask):
    paper = ask(type="file", accept=["txt", "pdf"], max_size=1)
    paper.attach("it", name, content).press(status=422)
    named = name.replace("\u202e", "")  # which would change the direction of reading
    assert paper.errors()["it"].startswith(f"{named} – {sentence}")
    assert paper.text("#errors a")[0].startswith(f"It – {named} – {sentence}")
    assert paper.text(".files bdi") == []


def test_one_file_that_cannot_be_taken_keeps_no_other_from_being_kept(ask):
    paper = ask(type="file", max_files=2)
    paper.attach("it", "a.txt", b"one").attach("it", "b.exe", b"MZ").attach("it", "c.txt", b"two").press(status=422)
    assert [error.partition(" – ")[0] for error in paper.errors().values()] == ["b.exe"]
    assert paper.text(".files bdi") == ["a.txt", "c.txt"]


def test_a_file_more_than_the_question_takes_is_refused(ask):
    paper = ask(type="file").attach("it", "a.txt", b"one").attach("it", "b.txt", b"other").press(status=422)
    assert paper.errors() == {"it": "b.txt – Please remove a file before you add another one: at most 1."}


def test_a_refused_upload_complains_of_nothing_that_was_not_to_be_sent_yet(small):
    paper = small(question("it", "file"), question("name", required=True))
    paper.attach("it", "a.exe", b"MZ").press("upload:it", status=422)
    assert list(paper.errors()) == ["it"]
    assert list(paper.press(status=422).errors()) == ["name"]
