"""Five generators of clients, without options: they take all of the description, and what they make compiles."""

import subprocess
import sys
from pathlib import Path

import pytest

from development.clients import in_node
from tests.waiting import SECONDS

COMPILE = (
    *("typescript/bin/tsc", "--noEmit", "--strict", "--target", "es2022", "--module", "esnext"),
    *("--moduleResolution", "bundler", "--lib", "es2022,dom,dom.iterable"),
)
LATER = "import models; m = models.CreateLeadBody(first_name='Pat'); print(m.model_dump(exclude_unset=True))"


def run(folder, *arguments):
    """What Python prints in the folder."""
    path = Path(sys.executable).parent
    options = {"cwd": folder, "env": {"PATH": str(path)}, "capture_output": True, "text": True, "timeout": SECONDS}
    done = subprocess.run([sys.executable, *arguments], **options, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.mark.long
@pytest.mark.parametrize(
    ("program", "arguments", "made"),
    [
        ("openapi-typescript/bin/cli.js", ("{}", "-o", "types.d.ts"), "types.d.ts"),
        ("@hey-api/openapi-ts/bin/run.js", ("-i", "{}", "-o", "made"), "made/index.ts"),
        ("swagger-typescript-api/dist/cli.mjs", ("generate", "-p", "{}", "-o", "made"), "made/Api.ts"),
    ],
)
def test_generators_of_typescript_make_what_compiles_strictly(description, tmp_path, program, arguments, made):
    words = [word.format(description) for word in arguments]
    assert in_node(program, *words, cwd=tmp_path) == ""
    assert in_node(*COMPILE, made, cwd=tmp_path) == ""


@pytest.mark.long
def test_the_generator_of_a_python_client_leaves_no_answer_out(description, tmp_path):
    said = run(tmp_path, "-m", "openapi_python_client", "generate", "--path", description)
    assert "WARNING" not in said, said[:3000]
    for operation in ("get_contract_pdf", "get_contract_docx"):
        assert "response.content" in next(tmp_path.rglob(f"{operation}.py")).read_text()


@pytest.mark.long
def test_the_generator_of_pydantic_models_makes_models_of_all_schemas(description, tmp_path):
    places = ("--input", description, "--input-file-type", "openapi", "--output", "models.py")
    run(tmp_path, "-m", "datamodel_code_generator", *places)
    assert run(tmp_path, "-c", LATER) == "{'first_name': 'Pat'}\n"
