"""Five generators of clients, without options: they take all of the description, and what they make compiles."""

import pytest

from development.clients import in_node
from tests.clients.conftest import COMPILE, run

pytestmark = pytest.mark.long

LATER = "import models; m = models.CreateLeadBody(first_name='Pat'); print(m.model_dump(exclude_unset=True))"


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
    assert in_node(*COMPILE, "--lib", "es2022,dom,dom.iterable", made, cwd=tmp_path) == ""


def test_the_generator_of_a_python_client_leaves_no_answer_out(description, tmp_path):
    said = run(tmp_path, "-m", "openapi_python_client", "generate", "--path", description)
    assert "WARNING" not in said, said[:3000]
    for operation in ("get_contract_pdf", "get_contract_docx"):
        assert "response.content" in next(tmp_path.rglob(f"{operation}.py")).read_text()


def test_the_generator_of_pydantic_models_makes_models_of_all_schemas(description, tmp_path):
    places = ("--input", description, "--input-file-type", "openapi", "--output", "models.py")
    run(tmp_path, "-m", "datamodel_code_generator", *places)
    assert run(tmp_path, "-c", LATER) == "{'first_name': 'Pat'}\n"
