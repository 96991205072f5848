"""Real examples for the description: what tests/examples has sent and was answered, kept in examples.json."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from pipeline.validation import Schema


def load() -> dict[str, Any]:
    """Each operation's example, by its operationId: `path`, `query`, `body` as sent, `answers` by status."""
    return orjson.loads(Path(__file__).with_name("examples.json").read_bytes())


def show(operation: Schema, example: Mapping[str, Any]) -> None:
    """Put the example, empty when there is none, into the description of its operation."""
    for parameter in operation["parameters"]:
        sent = example.get(parameter.get("in"), {})
        if parameter.get("name") in sent:
            parameter["example"] = sent[parameter["name"]]
    if "body" in example:
        _illustrate(operation["requestBody"], example["body"])
    for status, answer in example.get("answers", {}).items():
        _illustrate(operation["responses"][status], answer)


def _illustrate(message: Schema, example: Any) -> None:
    """Every media type of a request or answer shows the example."""
    for content in message["content"].values():
        content["example"] = example
