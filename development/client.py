"""The Python client: `make client` generates clients/python/pipeline_client from the description of the API.

The package has some 90,000 lines, which change with every field; so it is made where it is wanted, and not kept.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from development.postgres import EmbeddedPostgres
from pipeline import make_app
from pipeline.database import dumps, migrations
from pipeline.http.openapi import document
from pipeline.settings import load

CLIENT = Path(__file__).resolve().parents[1] / "clients" / "python"
PACKAGE = "pipeline_client"


def generate(description, folder):
    """Write the package for an OpenAPI document (bytes) into a folder; returns what the generator could not take."""
    with tempfile.TemporaryDirectory() as beside:
        file = Path(beside) / "openapi.json"
        file.write_bytes(description)
        command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--overwrite"]
        places = ["--path", file, "--config", CLIENT / "generator.yaml", "--output-path", folder / PACKAGE]
        done = subprocess.run([*command, *places], capture_output=True, text=True, check=False)
    (folder / PACKAGE / "py.typed").touch()
    return "\n".join(line for line in done.stdout.splitlines() if not line.startswith("Generating "))


def described():
    """The OpenAPI document of this checkout, as bytes, from an application that serves nobody."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder), durable=False) as server:
        migrations.upgrade(server.url("postgres", "postgres"))
        logins = {"DATABASE_URL": "pipeline_app", "DATABASE_FORMS_URL": "pipeline_forms"}
        urls = {name: server.url(login, "postgres") for name, login in logins.items()}
        registry = make_app(load({}, {**urls, "JWT_SECRET": "signs nothing, because nobody logs in here"})).registry
        try:
            return dumps(document(registry))
        finally:
            registry.app.close()
            registry.forms.close()


if __name__ == "__main__":
    sys.exit(generate(described(), CLIENT) or None)
