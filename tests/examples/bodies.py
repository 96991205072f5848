from tests.interviews.language import condition
from tests.support import TEMPLATE

CSV = b"first_name,last_name,email,company\nIngrid,Olsen,ingrid@fjord.example,Fjord Systems\n"
COMPANY = {
    "name": "Café Soft",
    "legal_name": "Café Soft SARL",
    "email": "bonjour@cafesoft.example",
    "street": "5 rue de la Paix",
    "city": "Lyon",
    "postal_code": "69001",
    "country": "FR",
}
LEAD = {
    "first_name": "Hélène",
    "last_name": "Dubois",
    "email": "helene@cafesoft.example",
    "company": "Café Soft",
    "job_title": "CTO",
    "source": "fair",
    "tags": "europe,priority",
}
TASK = {"title": "Call about the offer", "due_date": "2026-02-02", "due_time": "09:30", "priority": "high"}
NOTE = {"content": "Wants floating seats for 120 developers."}
INTERVIEW = {
    "name": "Licence needs",
    "slug": "licence-needs",
    "public_slug": "tell-us-what-you-need",
    "lead_capture_enabled": True,
    "pages": [
        {"key": "you", "title": "About you", "questions": ["first_name", "email"]},
        {"key": "needs", "title": "What you need", "questions": ["product_line", "seats", "timeline"]},
    ],
    "questions": [
        {"key": "first_name", "type": "short_text", "label": "Your name", "required": True},
        {"key": "email", "type": "email", "label": "Your email address", "required": True},
        TEMPLATE["questions"][0],
        {"key": "seats", "type": "number", "label": "How many seats?", "integer": True, "min": 1},
        {"key": "timeline", "type": "short_text", "label": "When?", "visible_if": condition("seats", "gt", 9)},
    ],
    "thank_you": {"title": "Thank you", "body": "We call you within a day."},
    "hints": {"rep_flags": [{"flag": "large", "label": "Large deal", "when": condition("seats", "gte", 100)}]},
    "field_map": [{"question": "seats", "target": "quantity"}],
    "hidden_fields": ["campaign"],
    "language": "en",
    "translations": {
        "de": {
            "name": "Lizenzbedarf",
            "pages.needs.title": "Was Sie brauchen",
            "questions.seats.label": "Wie viele Plätze?",
            "questions.product_line.options.desktop": "Arbeitsplatz",
            "thank_you.title": "Vielen Dank",
        }
    },
}
ANSWERS = {"first_name": "Hélène", "email": "helene@cafesoft.example", "product_line": "server", "seats": 120}
LIABILITY = {
    "key": "liability",
    "name": "Liability",
    "content": "<p>The liability of the licensor is limited to {{Quote.total | currency}}.</p>",
}
AGREEMENT = {
    "name": "Licence agreement",
    "content": "<h1>{{Contract.number}}</h1><p>{{Licensee.name}} licenses {{Deal.title}}.</p>"
    '<div data-clause="liability"></div><p>{{Contract.fields.governing_law}} governs the agreement.</p>',
    "footer_center": "Page {{page}} of {{pages}}",
}
HOOK = {"url": "https://crm.localhost/pipeline", "events": ["lead.captured", "interview.submitted"]}
BRIEF = {
    "name": "Brief",
    "slug": "brief",
    "pages": [{"key": "files", "questions": ["drawings"]}],
    "questions": [{"key": "drawings", "type": "file", "label": "Your drawings", "max_files": 3, "accept": ["pdf"]}],
}
QUOTE_LINES = [
    {
        "sku": "SEAT",
        "description": "Floating seat, a year",
        "quantity": 120,
        "unit_price": 89.5,
        "discount_percent": 10,
        "tax_rate": 19,
    }
]
