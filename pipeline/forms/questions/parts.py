"""Questions of several controls."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pipeline.forms.questions.answer_text import written
from pipeline.forms.questions.error_messages import Said
from pipeline.forms.translations import Texts
from pipeline.interviews.templates.answer_shapes import ADDRESS_REQUIRED
from pipeline.validation import Values
from pipeline.validation.violations import step

# Address lines in order: `autocomplete` and maximum length.
ADDRESS = {
    "street": ("street-address", 255),
    "postal_code": ("postal-code", 20),
    "city": ("address-level2", 100),
    "region": ("address-level1", 100),
    "country": ("country", None),
}


class Option(NamedTuple):
    """An option; `authored`: the label comes from the form."""

    value: str
    label: str
    offered: bool
    chosen: bool
    exclusive: bool = False
    id: str | None = None
    authored: bool = False


class Part(NamedTuple):
    """One control of a question, or a row of a matrix."""

    name: str
    id: str
    label: str
    value: str
    options: list[Option]
    errors: list[str]
    autocomplete: str | None = None
    max_length: int | None = None
    optional: bool = False

    @property
    def control(self) -> str:
        """The id of the control that errors link to."""
        return next((option.id for option in self.options if option.id), self.id)


def parts_of(question: Values, options: list[Option], answer: object, errors: Said, texts: Texts) -> Iterable[Part]:
    """The Parts of a question; none for a single control. errors: by answer key and part."""
    if question["type"] == "ranking":
        return _places(question["key"], options, answer if isinstance(answer, list) else [], texts)
    held = answer if isinstance(answer, dict) else {}
    if question["type"] == "matrix":
        return _rows(question, held, errors)
    return _lines(question["key"], held, errors, texts) if question["type"] == "address" else ()


def _places(key: str, options: list[Option], ranked: list[Any], texts: Texts) -> Iterator[Part]:
    for place, _ in enumerate(options):
        value = ranked[place] if place < len(ranked) else ""
        listed = [option._replace(chosen=option.value == value) for option in options]
        label = texts("question.place", place=texts.number(place + 1))
        yield Part(key, f"f-{key}-{place}", label, value, listed, [])


def _rows(question: Values, held: Mapping[str, Any], errors: Said) -> Iterator[Part]:
    key = question["key"]
    for number, row in enumerate(question["rows"]):
        value, id = held.get(row["value"]), f"f-{key}-{number}"
        options = [
            Option(item["value"], item["label"], True, item["value"] == value, id=f"{id}-{place}", authored=True)
            for place, item in enumerate(question["columns"])
        ]
        said = errors.get(f"{key}.{step(row['value'])}", [])
        yield Part(f"{key}.{number}", id, row["label"], written(value), options, said)


def _lines(key: str, held: Mapping[str, Any], errors: Said, texts: Texts) -> Iterator[Part]:
    for name, (autocomplete, max_length) in ADDRESS.items():
        value = written(held.get(name))
        options = []
        if name == "country":
            options = [Option(code, label, True, code == value) for code, label in texts.countries.items()]
        said = errors.get(f"{key}.{name}", [])
        label = texts(f"address.{name}")
        optional = name not in ADDRESS_REQUIRED
        yield Part(f"{key}.{name}", f"f-{key}-{name}", label, value, options, said, autocomplete, max_length, optional)
