"""Lists and an import of leads with twenty own fields: `python -m bench.own_fields [--size N]`.

The first page is measured before the fields are defined, and with them.
"""

import argparse
import json
import sys
import time
from urllib.parse import urlencode

import psycopg

from bench.cases import ALL_FILTERED, FILTERED, FIRST_PAGE, SEARCHED, SIZE
from bench.client import Client
from bench.data import BIG, running
from bench.kinds import drawn
from bench.lists import SETTINGS, Measured, row
from bench.report import progress
from bench.servers import serving
from bench.site import server_process
from bench.writes import importing

# A file of so many rows stays below the limit of uploads.
FIELDS, ROWS = 20, 50_000
# Types in turn, each with the SQL of its values for the lead i.
VALUES = {
    "choice": "(array['EMEA', 'APAC', 'AMER'])[1 + {} % 3]",
    "number": "{} % 1000",
    "text": "'K-' || {} % 20000",
    "date": "to_char(date '2024-01-01' + ({} % 900)::integer, 'YYYY-MM-DD')",
}
CELLS = {
    "choice": lambda number: ("EMEA", "APAC", "AMER")[number % 3],
    "number": lambda number: number % 1000,
    "text": lambda number: f"K-{number % 20000}",
    "date": lambda number: f"2024-{1 + number % 12:02}-{1 + number % 28:02}",
}
KINDS = [(f"field_{number}", list(VALUES)[number % len(VALUES)]) for number in range(FIELDS)]
FILTERS = {
    "equal to one in 20,000": [{"fields": {"field_2": "K-7"}}, {"fields": {"field_2": "K-7", "field_1": 7}}],
    "equal to one in a thousand": [{"fields": {"field_1": 7}}],
    "equal to a third": [{"fields": {"field_0": "EMEA"}}, {"fields": {"field_0": "EMEA", "field_4": "APAC"}}],
    "bounds": [{"field_min": {"field_1": 990}}, {"field_max": {"field_3": "2024-06-30"}}],
    "bounds of a third": [{"fields": {"field_0": "EMEA"}, "field_min": {"field_1": 500}}],
}
# All that no constraint needs: filled anew, they are made in a fraction of the time.
INDEXES = """
    select cast(indexrelid as regclass)::text, pg_get_indexdef(indexrelid) from pg_index
    where indrelid = 'app.leads'::regclass and not exists (select from pg_constraint where conindid = indexrelid)"""
ORDERS = [{"sort_by": "name"}, {"sort_by": "created_at", "sort_dir": "DESC"}]


def define(owner_url):
    """Define the fields, and give all leads of the organization values."""
    values = ", ".join(f"'{key}', {VALUES[type].format(drawn(key, 1 << 20))}" for key, type in KINDS)
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute("select set_config('app.organization_id', %s, false)", [str(BIG)])
        for key, type in KINDS:
            options = ["EMEA", "APAC", "AMER"] if type == "choice" else []
            owner.execute(
                "insert into app.fields (kind, key, label, type, options) values ('lead', %s, %s, %s, %s)",
                (key, key.replace("_", " "), type, options),
            )
        indexes = owner.execute(INDEXES).fetchall()
        owner.execute(f"drop index {', '.join(name for name, _ in indexes)}")
        owner.execute("alter table app.leads disable trigger user")
        owner.execute("alter table app.leads enable trigger fill_numbers")
        owner.execute(
            f"update app.leads set fields = (select jsonb_build_object({values}) from (select leads.id as i) as own)"
            f" where organization_id = {BIG}"
        )
        owner.execute("alter table app.leads enable trigger user")
        owner.execute("vacuum full analyze app.leads")
        for _, made in indexes:
            owner.execute(made)
        # As autovacuum would: scans of an index alone need the visibility map, which the copy lacks.
        owner.execute("vacuum app.leads")
        owner.execute("checkpoint")
    progress("own fields filled")


def urls(asked, orders=ORDERS):
    """The URLs of a list with these filters, each in every order."""
    written = ({name: json.dumps(value) for name, value in one.items()} for one in asked)
    return [f"/api/leads?{urlencode(one | order)}" for one in written for order in orders]


def report(measured):
    """Measure the lists with own fields and print them in Markdown."""
    own = [{"sort_by": f"fields.{key}", "sort_dir": way} for key, _ in KINDS[:4] for way in ("ASC", "DESC")]
    cases = {f"filter {label}": (urls(asked), FILTERED) for label, asked in FILTERS.items()}
    cases |= {
        "all filters": ([url for listed, _ in cases.values() for url in listed], FILTERED),
        "orders by own fields": (urls([{}], own), None),
        "search: a text of own fields": (urls([{}], [{"search": "K-7777"}]), SEARCHED),
    }
    for label, (listed, aim) in cases.items():
        median_aim = ALL_FILTERED if label == "all filters" else None
        print(row(label, {url: measured(url) for url in listed}, aim, median_aim), flush=True)


def main():
    """Fill, measure and print; exit status 1 after a failed measurement."""
    parser = argparse.ArgumentParser(prog="python -m bench.own_fields", description=__doc__.partition("\n")[0])
    parser.add_argument("--size", type=int, default=SIZE, help=f"leads, instead of {SIZE:,}")
    given = parser.parse_args()
    try:
        with (
            running(given.size, ("leads",), SETTINGS) as (site, file, owner_url, _ids),
            serving(["application"], file, None) as webs,
        ):
            client = Client(site, webs["application"])
            processes = (webs["application"].process.pid, server_process(owner_url))
            print(f"{given.size:,} leads in one organization, {FIELDS} own fields; milliseconds of processor time.\n")
            print(
                "| leads | cases | median | elapsed | worst | worst case | aim | |\n|---|---|---|---|---|---|---|---|"
            )
            first = urls([{}])
            without = Measured(client, processes)
            print(row("first page, no field defined", {url: without(url) for url in first}, FIRST_PAGE, None))
            define(owner_url)
            # The server has closed the idle connection meanwhile.
            client = Client(site, webs["application"])
            measured = Measured(client, processes)
            print(row("first page with values", {url: measured(url) for url in first}, FIRST_PAGE, None), flush=True)
            report(measured)
            rows, begun = min(ROWS, given.size), time.monotonic()
            importing(client, rows, "own", {key: CELLS[type] for key, type in KINDS})
            print(
                f"\nimport of {rows:,} rows with {FIELDS} own fields: {rows / (time.monotonic() - begun):,.0f} rows/s"
            )
    except RuntimeError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
