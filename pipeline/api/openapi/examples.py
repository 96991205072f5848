"""Recorded examples (examples.json, written by tests/examples)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from pipeline.validation import Schema


def load() -> dict[str, Any]:
    """{operationId: `path`, `query`, `body`, `answers` by status}."""
    return orjson.loads(Path(__file__).with_name("examples.json").read_bytes())


def show(operation: Schema, example: Mapping[str, Any]) -> None:
    for parameter in operation["parameters"]:
        sent = example.get(parameter.get("in"), {})
        if parameter.get("name") in sent:
            parameter["example"] = sent[parameter["name"]]
    if "body" in example:
        _illustrate(operation["requestBody"], example["body"])
    for status, answer in example.get("answers", {}).items():
        _illustrate(operation["responses"][status], answer)


def _illustrate(message: Schema, example: Any) -> None:
    for content in message["content"].values():
        content["example"] = example
