"""Values with alternative forms."""

from typing import Any

import colander

from pipeline.validation.nested import COMPONENTS, Body, Listing, required
from pipeline.validation.types import Choice, Schema, Type
from pipeline.validation.violations import Invalid, refuse


class OneOf(Type):
    """An object with one of several forms, `{word: Body}`."""

    def __init__(self, component: str, forms: dict[str, Body] | None = None) -> None:
        self.component, self.forms = component, forms or {}

    def form(self, given: dict[str, Any]) -> Body:
        """Returns the form of the first word that is a member, else the last."""
        return self.forms[next((word for word in self.forms if word in given), [*self.forms][-1])]

    def read(self, given: Any) -> dict[str, Any]:
        if not isinstance(given, dict):
            refuse("wrong_type", wanted="an object")
        return self.form(given).read(given)

    def describe(self) -> Schema:
        return {"$ref": COMPONENTS + self.component}

    def collect(self, schemas: dict[str, Schema]) -> None:
        if self.component in schemas:
            return
        names = {word: f"{self.component}{word.title().replace('_', '')}" for word in self.forms}
        schemas[self.component] = self.alternatives({word: COMPONENTS + name for word, name in names.items()})
        for word, form in self.forms.items():
            schemas[names[word]] = form.describe()
            form.collect(schemas)

    def alternatives(self, forms: dict[str, str]) -> Schema:
        """Returns the schema; `forms` is {word: reference}."""
        return {"oneOf": [{"$ref": place} for place in forms.values()]}


class Unknown(Body):
    """The form of an unknown word: the fields that all forms have."""

    sparse = True

    def __init__(self, tag: colander.SchemaNode, forms: list[Body]) -> None:
        first, *others = ({node.name: node for node in form.children} for form in forms)
        common = [
            node for name, node in first.items() if all(name in one and one[name].typ is node.typ for one in others)
        ]
        super().__init__(tag, *common)
        self.computed = tuple({*first}.union(*others))


class Tagged(OneOf):
    """A OneOf; its member `tag` holds the form's word."""

    def __init__(self, component: str, tag: str, forms: dict[str, Body]) -> None:
        super().__init__(component, forms)
        self.tag, self.words = tag, Choice(*forms)
        self.unknown = Unknown(required(self.words, name=tag), list(forms.values()))
        for word, body in forms.items():
            body.add(required(Choice(word), name=tag))

    def form(self, given: dict[str, Any]) -> Body:
        try:
            return self.forms[self.words.load(given.get(self.tag))]
        except (Invalid, KeyError):
            return self.unknown

    def alternatives(self, forms: dict[str, str]) -> Schema:
        return {**super().alternatives(forms), "discriminator": {"propertyName": self.tag, "mapping": forms}}


class OneOrMany(Type):
    """A value or an array."""

    def __init__(self, item: Type, max_items: int) -> None:
        self.item, self.many = item, Listing(item, max_items, min_items=1)

    def read(self, given: Any) -> Any:
        return self.many.read(given) if isinstance(given, list) else self.item.read(given)

    def describe(self) -> Schema:
        return {"anyOf": [self.item.describe(), self.many.describe()]}
