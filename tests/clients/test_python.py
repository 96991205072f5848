import orjson
import pytest

from development.clients import PACKAGE, PYTHON, wheel
from tests.clients.conftest import SECRET, programs, run

pytestmark = pytest.mark.long

SHOWN = ["submitted {'seats': 250, 'timeline': 'immediately'} ['fast_timeline']", "insufficient_scope leads:write"]
RECEIVE = """
receive({body!r}.encode(), {headers!r})
try:
    receive(b"{{}}", {headers!r})
except Exception as error:
    print(type(error).__name__)
"""


@pytest.fixture(scope="module")
def folder(description, tmp_path_factory):
    folder = tmp_path_factory.mktemp("python")
    built = wheel(description, tmp_path_factory.mktemp("wheel"))
    run(folder, "-m", "pip", "install", "--quiet", "--no-compile", "--no-deps", "--no-index", "--target", ".", built)
    for name, program in zip(("example", "story"), programs(PYTHON / "README.md", "python"), strict=True):
        (folder / f"{name}.py").write_text(program)
    return folder


def test_every_operation_is_in_the_client_which_is_typed_as_are_its_programs(folder, description):
    modules = {path.stem for path in (folder / PACKAGE / "api").glob("*/*.py")} - {"__init__"}
    paths = orjson.loads(description.read_bytes())["paths"]
    assert modules == {operation["operationId"] for methods in paths.values() for operation in methods.values()}
    run(folder, "-m", "mypy", "--strict", "--cache-dir", "types", "example.py", "story.py", PACKAGE)


def test_the_example_lists_creates_follows_and_verifies(folder, organization, site, key, place, message):
    body, headers = message
    (folder / "run.py").write_text((folder / "example.py").read_text() + RECEIVE.format(body=body, headers=headers))
    environ = {"PIPELINE_URL": site.url, "PIPELINE_KEY": key, "PIPELINE_PLACE": place, "PIPELINE_SECRET": SECRET}
    listed, change, *_, received, refused = run(folder, "run.py", **environ).splitlines()
    (lead,) = organization.member.get("/api/leads?external_id=crm-7", status=200).json["data"]
    assert (listed, lead["name"]) == ("['Pat']", "Ada")
    assert (received, refused) == ("lead.created 7", "WebhookVerificationError")
    assert change.startswith("leads created ")
    assert "Lead(" in change


def test_the_story_of_its_readme_runs_as_it_stands(folder, served):
    address, email, password = served
    shown = run(folder, "story.py", PIPELINE_URL=address, PIPELINE_EMAIL=email, PIPELINE_PASSWORD=password)
    assert [line for line in SHOWN if line not in shown.splitlines()] == []
    assert (folder / "agreement.pdf").read_bytes().startswith(b"%PDF-")
    assert (folder / "agreement.docx").read_bytes().startswith(b"PK")


def test_the_same_description_makes_the_same_wheel(description, tmp_path):
    built = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        built.append(wheel(description, tmp_path / name).read_bytes())
    assert built[0] == built[1]
