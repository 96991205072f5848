import copy

from pipeline.interviews import schemas
from pipeline.validation import Invalid

OPTIONS = [{"value": "cloud", "label": "Cloud"}, {"value": "server", "label": "Server"}]


def question(key, type="short_text", **fields):
    """One question; choices get the options cloud and server unless told otherwise."""
    options = {"options": copy.deepcopy(OPTIONS)} if type.endswith("_choice") else {}
    return {"key": key, "type": type, "label": key, **options, **fields}


def template(*questions, pages=None, **fields):
    """A template with these questions, all on one page unless told otherwise."""
    keys = [one["key"] for one in questions]
    return {"pages": pages or [{"key": "one", "questions": keys}], "questions": list(questions), **fields}


def check_template(body):
    """The violations of a template; a name and a slug are given to what has none."""
    try:
        schemas.Template().read({"name": "A", "slug": "a", **body} if isinstance(body, dict) else body)
    except Invalid as error:
        return error.violations
    return []


def condition(key, op, value=None):
    return {"question": key, "op": op, **({} if value is None else {"value": value})}


EVERY_TYPE = template(
    question("name", min_length=2, max_length=80, pattern=r"[\pL .'-]+", placeholder="Ada Lovelace"),
    question("notes", "long_text", help="Anything else"),
    question("email", "email", required=True),
    question("phone", "phone"),
    question("website", "url"),
    question("seats", "number", integer=True, min=1, max=100000, unit="seats"),
    question("start", "date", min="today", max="2030-12-31"),
    question("sso", "yes_no"),
    question("terms", "consent", required=True),
    question("product_line", "single_choice", allow_other=True),
    question(
        "needs",
        "multi_choice",
        options=[*OPTIONS, {"value": "none", "label": "None", "exclusive": True}],
        allow_other=True,
        min_selected=1,
        max_selected=3,
        visible_if={"any": [condition("seats", "gte", 10), {"not": condition("sso", "eq", True)}]},
    ),
    question("urgency", "scale", min=1, max=10, min_label="Not", max_label="Very"),
    question("thanks", "statement", visible_if=condition("urgency", "gt", 5)),
    question("priorities", "ranking", options=[*OPTIONS, {"value": "none", "label": "None"}], min_ranked=2),
    question(
        "satisfaction",
        "matrix",
        rows=[{"value": "price", "label": "Price"}, {"value": "support", "label": "Support"}],
        columns=[{"value": "good", "label": "Good"}, {"value": "bad", "label": "Bad"}],
        visible_if=condition("priorities", "contains", "cloud"),
    ),
    question("address", "address", required_if=condition("satisfaction", "answered")),
    branding={"logo_url": "https://acme.example/logo.png", "text_color": "#000000"},
    thank_you={"title": "Thank you", "redirect_url": "https://acme.example/", "show_answers": True},
    hints={
        "lead_fields": {"company": "name"},
        "rep_flags": [{"flag": "big", "label": "Big", "when": condition("seats", "gt", 500)}],
        "rep_tips": {"sso": "Ask which provider."},
    },
    field_map=[
        {"target": "platform_keys", "question": "product_line", "map": {"cloud": ["aws", "azure"]}},
        {"target": "feature_keys", "value": "sso", "when": condition("sso", "eq", True)},
        {"target": "quantity", "question": "seats"},
        {"target": "license_type", "value": "subscription"},
    ],
    lead_capture_enabled=True,
    public_slug="software-evaluation",
)


def violations(body):
    return {found.name: found.code for found in check_template(body)}


def violations_of(*questions, **fields):
    return violations(template(*questions, **fields))
