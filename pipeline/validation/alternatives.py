"""Values with alternative forms."""

from typing import Any

from pipeline.validation.nested import COMPONENTS, Body, Listing, required
from pipeline.validation.types import Choice, Schema, Type
from pipeline.validation.violations import Invalid, Violations, refuse


class OneOf(Type):
    """An object with one of several forms, `{word: Body}`."""

    def __init__(self, component: str, forms: dict[str, Body] | None = None) -> None:
        self.component, self.forms = component, forms or {}

    def form(self, given: dict[str, Any]) -> str:
        """Returns the first word that is a member, else the last."""
        return next((word for word in self.forms if word in given), [*self.forms][-1])

    def read(self, given: Any) -> dict[str, Any]:
        if not isinstance(given, dict):
            refuse("wrong_type", wanted="an object")
        return self.forms[self.form(given)].read(given)

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


class Tagged(OneOf):
    """A OneOf; its member `tag` holds the form's word."""

    def __init__(self, component: str, tag: str, forms: dict[str, Body]) -> None:
        super().__init__(component, forms)
        self.tag, self.words = tag, Choice(*forms)
        for word, body in forms.items():
            body.add(required(Choice(word), name=tag))

    def form(self, given: dict[str, Any]) -> str:
        violations = Violations()
        word: str = violations.need(self.tag, self.words.load, given.get(self.tag))
        if violations:
            raise Invalid(violations)
        return word

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
