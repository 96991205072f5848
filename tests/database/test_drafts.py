import pytest
from psycopg import errors

from tests.database.test_isolation import FILE, count

TOKEN, OTHER = "b" * 64, "a" * 64
SAVED = "insert into app.capture_drafts (token, template_id, answers, agreed) values (%s, %s, '{}', '')"
CHUNK = "insert into app.file_chunks (file_id, position, content) values (%s, 0, 'x')"


@pytest.fixture
def form(acting, world):
    """The connection of acme's public form with a draft of its own."""
    template = world["acme"]["interview_templates"]
    with acting("pipeline_public", "acme", template_id=template, draft_token=TOKEN) as connection:
        connection.execute(SAVED, (TOKEN, template))
        yield connection


@pytest.fixture
def file(form):
    return form.execute(FILE + " returning id").fetchone()[0]


def test_a_form_sees_and_changes_its_own_draft_alone(form):
    assert form.execute("select token from app.capture_drafts").fetchall() == [(TOKEN,)]
    assert form.execute("update app.capture_drafts set agreed = 'x'").rowcount == 1
    form.execute("select set_config('app.draft_token', %s, true)", [OTHER])
    assert form.execute("select token from app.capture_drafts").fetchall() == [(OTHER,)]


def test_a_draft_is_written_under_the_token_of_the_form_alone(form, world):
    with pytest.raises(errors.InsufficientPrivilege):
        form.execute(SAVED, ("c" * 64, world["acme"]["interview_templates"]))


def test_a_draft_is_written_into_no_other_organization(form, world):
    elsewhere = SAVED.replace("(token", "(organization_id, token").replace("(%s", "(%s, %s")
    row = (world["globex"]["organizations"], TOKEN, world["acme"]["interview_templates"])
    with pytest.raises(errors.InsufficientPrivilege, match='policy "organization"'):
        form.execute(elsewhere, row)


def test_a_form_sees_fills_and_removes_the_files_of_its_draft_alone(form, file, world):
    assert form.execute("select id from app.files").fetchall() == [(file,)]
    form.execute(CHUNK, [file])
    with pytest.raises(errors.InsufficientPrivilege), form.transaction():
        form.execute(CHUNK, [world["acme"]["files"]])
    assert form.execute("delete from app.files").rowcount == 1


def test_the_files_of_a_sent_draft_stay_as_they_are(form, file):
    form.execute("update app.capture_drafts set submitted = true")
    for statement, values in ((FILE, ()), (CHUNK, [file])):
        with pytest.raises(errors.InsufficientPrivilege), form.transaction():
            form.execute(statement, values)
    assert (form.execute("delete from app.files").rowcount, count(form, "files")) == (0, 1)
