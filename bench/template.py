"""The measured interview: twelve questions on three pages, with conditions, hints and a field map."""


def _options(*values):
    return [{"value": value, "label": value.replace("_", " ").capitalize()} for value in values]


QUESTIONS = [
    {"key": "work_email", "type": "email", "label": "Your work email", "required": True},
    {"key": "your_name", "type": "short_text", "label": "Your name", "required": True},
    {"key": "company", "type": "short_text", "label": "Your company", "help": "As it should stand in the contract."},
    {
        "key": "product_line",
        "type": "single_choice",
        "label": "Which product line?",
        "required": True,
        "options": _options("server", "desktop", "embedded"),
    },
    {
        "key": "platforms",
        "type": "multi_choice",
        "label": "On which platforms will it run?",
        "min_selected": 1,
        "options": _options("linux", "windows", "macos", "qnx"),
        "allow_other": True,
    },
    {"key": "seats", "type": "number", "label": "How many seats?", "integer": True, "min": 1, "max": 100000},
    {
        "key": "needs",
        "type": "long_text",
        "label": "What should it do for you?",
        "placeholder": "For instance: floating licenses for two sites",
    },
    {
        "key": "compliance",
        "type": "multi_choice",
        "label": "Which rules bind you?",
        "options": [*_options("iso_27001", "fedramp", "gdpr"), {"value": "none", "label": "None", "exclusive": True}],
        "visible_if": {"question": "product_line", "op": "in", "value": ["server", "embedded"]},
    },
    {"key": "evaluating_others", "type": "yes_no", "label": "Are you looking at other products?"},
    {
        "key": "competitors",
        "type": "short_text",
        "label": "Which ones?",
        "visible_if": {"question": "evaluating_others", "op": "eq", "value": True},
    },
    {
        "key": "timeline",
        "type": "single_choice",
        "label": "When do you want to start?",
        "options": _options("immediately", "within_30_days", "this_quarter", "later"),
    },
    {"key": "notes", "type": "long_text", "label": "Anything else we should know?"},
]

TEMPLATE = {
    "name": "Qualification",
    "slug": "qualification",
    "questions": QUESTIONS,
    "pages": [
        {"key": "you", "title": "About you", "questions": ["work_email", "your_name", "company"]},
        {
            "key": "needs",
            "title": "What you need",
            "description": "This decides which edition fits.",
            "questions": ["product_line", "platforms", "seats", "needs", "compliance"],
        },
        {"key": "plans", "title": "Plans", "questions": ["evaluating_others", "competitors", "timeline", "notes"]},
    ],
    "branding": {"primary_color": "#0b5fff", "background_color": "#ffffff", "text_color": "#1a1a1a"},
    "thank_you": {"title": "Thank you", "body": "We will be in touch within one working day."},
    "hints": {
        "lead_fields": {"email": "work_email", "name": "your_name"},
        "rep_flags": [
            {
                "flag": "competitive_deal",
                "label": "Competitive deal",
                "when": {"question": "competitors", "op": "answered"},
            }
        ],
    },
    "field_map": [{"target": "platform_keys", "question": "platforms"}, {"target": "quantity", "question": "seats"}],
}
