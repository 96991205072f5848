"""Files as answers, uploaded and removed on a page."""

import pytest

from tests.files import hostile_pdf

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
        ("a.b__c.exe", b"MZ", "This file has the wrong type. Choose a file of the type TXT."),
        ("a.pdf", b"MZ", "This file is damaged, or is not what its name says. Save it again and upload the new file."),
        (
            "a.pdf",
            WITH_SCRIPT(),
            "This file holds a password, macros, scripts or other active content."
            " Save a copy without them and upload the copy.",
        ),
        ("a.txt", b"a" * 1_100_000, "Please choose a file of at most 1 MiB."),
        ("b.txt", b"other", "Please remove a file before you add another one: at most 1."),
    ],
)
def test_a_file_that_cannot_be_taken_is_refused_beside_its_question(name, content, sentence, ask):
    paper = ask(type="file", accept=["txt", "pdf"] if name == "a.pdf" else ["txt"], max_size=1)
    if name == "b.txt":
        paper.attach("it", "a.txt", b"one")
    paper.attach("it", name, content).press(status=422)
    assert paper.errors() == {"it": f"{name} – {sentence}"}
    assert paper.text("#errors a") == [f"It – {name} – {sentence}"]


def test_a_file_whose_name_changes_the_direction_of_reading_is_refused(ask):
    paper = ask(type="file", accept=["txt"])
    paper.attach("it", "a\u202ecod.txt", b"one").press(status=422)
    assert paper.errors()["it"].startswith("acod.txt – ")
    assert paper.text(".files bdi") == []


def test_one_file_that_cannot_be_taken_keeps_no_other_from_being_kept(ask):
    paper = ask(type="file", max_files=3)
    paper.attach("it", "a.txt", b"one").attach("it", "b.exe", b"MZ").attach("it", "c.txt", b"two").press(status=422)
    assert [error.partition(" – ")[0] for error in paper.errors().values()] == ["b.exe"]
    assert paper.text(".files bdi") == ["a.txt", "c.txt"]


def test_a_refused_upload_complains_of_nothing_that_was_not_to_be_sent_yet(small):
    questions = [{"key": "it", "type": "file", "label": "It"}, {"key": "name", "type": "short_text", "label": "Name"}]
    pages = [{"key": "one", "questions": ["it", "name"]}]
    paper = small(questions=[questions[0], {**questions[1], "required": True}], pages=pages)
    paper.attach("it", "a.exe", b"MZ").press("upload:it", status=422)
    assert list(paper.errors()) == ["it"]
    assert list(paper.press(status=422).errors()) == ["name"]
