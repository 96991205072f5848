"""The packages of clients that `make clients` has built."""

from importlib.metadata import version
from pathlib import Path

from pipeline.api.documentation.guides import GUIDES
from pipeline.process.settings.shipped import shipped

VERSION = version("pipeline")
FOLDER = shipped("clients") / "dist"
# {guide: (file, media type)}
FILES = {
    "python": (f"pipeline_client-{VERSION}-py3-none-any.whl", "application/zip"),
    "typescript": (f"pipeline-client-{VERSION}.tgz", "application/gzip"),
}


def built() -> dict[str, Path]:
    """{guide: its package} of this version."""
    return {guide: FOLDER / name for guide, (name, _) in FILES.items() if (FOLDER / name).is_file()}


def address(file: Path) -> str:
    return f"/docs/clients/{file.name}"


def offered(guide: str) -> dict[str, str]:
    """{file name: URL} of the packages that a guide offers; the start page offers all."""
    return {file.name: address(file) for name, file in built().items() if guide in (name, GUIDES[0])}
