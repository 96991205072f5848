"""The demo's leads: varied, and the same in every installation."""

from datetime import timedelta
from random import Random

FIRST_NAMES = (
    "Anna",
    "Björn",
    "Chloé",
    "Dmitri",
    "Élodie",
    "Fatima",
    "George",
    "Hana",
    "Ibrahim",
    "Jürgen",
    "Kenji",
    "Lucía",
    "Marta",
    "Noah",
    "Olu",
    "Priya",
    "Quentin",
    "Rosa",
    "Søren",
    "Tomás",
    "Uma",
    "Viktor",
    "Wei",
    "Ximena",
    "Yusuf",
    "Zoë",
)
LAST_NAMES = (
    "Andersson",
    "Becker",
    "Castillo",
    "D'Angelo",
    "Eriksen",
    "Fernández",
    "García López",
    "Haddad",
    "Ivanova",
    "Jones",
    "Kowalski",
    "Lefèvre",
    "Müller",
    "Nakamura",
    "O'Brien",
    "Papadopoulos",
    "Rossi",
    "Smith-Jones",
    "Tanaka",
    "van der Berg",
    "Yılmaz",
    "Žižek",
)
COMPANIES = (
    "Nordlicht Robotik GmbH",
    "Café Soft",
    "Pacific Instruments",
    "Øresund Medico",
    "Blue Harbor Analytics",
    "Quantum Valve Ltd",
    "Delta & Sons",
    "Sierra Optics",
    "Kite Telemetry",
    "Zephyr Games",
    "Iron Bridge Software",
    "Lumen Health AG",
    "Granite CAD",
    "Polar Maps Oy",
    "Tidewater Systems",
)
JOBS = ("CTO", "Head of Purchasing", "Product Manager", "Engineering Manager", "Legal Counsel", "Founder", None)
SOURCES = ("manual", "web", "referral", "trade-show", "partner", "interview", "import")
STATUSES = ("new", "contacted", "qualified", "disqualified")
TAGS = (None, "priority", "embedded", "cloud, priority", "renewal", "education")
NOTES = (None, None, "Met at the booth, wants a demo.", "Asked for floating licenses.", "Budget is decided in autumn.")
REASONS = ("No budget", "Uses a competitor's product", "Wrong address")
COLUMNS = (
    "organization_id",
    "first_name",
    "last_name",
    "email",
    "phone",
    "company",
    "job_title",
    "source",
    "status",
    "notes",
    "tags",
    "assigned_to",
    "disqualify_reason",
    "qualified_at",
    "disqualified_at",
    "created_at",
)


def leads(organization_id, count, assignees, now):
    """`count` rows of COLUMNS (tuples), the newest first.

    assignees: user ids or None, chosen in proportion; now: an aware datetime.
    """
    chance = Random(organization_id * 1000 + count)
    created = now
    for number in range(count):
        created -= timedelta(hours=chance.randint(1, 40), minutes=chance.randint(0, 59))
        yield _lead(chance, organization_id, number, chance.choice(assignees), min(created, now))


def _lead(chance, organization_id, number, assignee, created):
    first = chance.choice(FIRST_NAMES)
    last = chance.choice(LAST_NAMES) if chance.random() > 0.08 else None
    company = chance.choice(COMPANIES) if chance.random() > 0.1 else None
    status = chance.choices(STATUSES, weights=(5, 3, 2, 1))[0]
    changed = created + timedelta(hours=1)
    return (
        organization_id,
        first,
        last,
        f"lead{number + 1:03d}@prospect.example" if chance.random() > 0.05 else None,
        f"+49 30 555{chance.randint(0, 9999):04d}" if chance.random() > 0.3 else None,
        company,
        chance.choice(JOBS),
        chance.choice(SOURCES),
        status,
        chance.choice(NOTES),
        chance.choice(TAGS),
        assignee,
        chance.choice(REASONS) if status == "disqualified" else None,
        changed if status == "qualified" else None,
        changed if status == "disqualified" else None,
        created,
    )
