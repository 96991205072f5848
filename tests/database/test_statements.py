import re

import psycopg
import pytest
from psycopg.rows import dict_row

from pipeline.database import Queries
from pipeline.database import queries as shipped_queries
from pipeline.database.statements import StatementError

LIST = """--:name thing_first :scalar
--:doc Stands before.
select 1;

--:name thing_list :many
--:doc Numbers.
select number
from generate_series(1, 4) as number
where
    number > 0
    and number > cast(:above as integer) --? above
    --? below {
    and number < cast(:below as integer)
    and number <> cast(:but as integer) --? but
    --? }
    and number % 2 = 0 --? parity=even
    and number % 2 = 1 --? parity=odd|uneven
    and number <> 2 --? !above
    and number <> 4 --? filtered
order by
    number > 0
    , number asc --/
limit 4;
"""


@pytest.fixture
def folder(tmp_path):
    """A folder like sql/, whose one file a test writes."""
    (tmp_path / "things").mkdir()
    (tmp_path / "things" / "list.sql").write_text(LIST)
    return tmp_path


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({}, [1, 3, 4]),
        ({"sort_dir": "DESC"}, [4, 3, 1]),
        ({"above": 1}, [2, 3]),
        ({"above": 0, "sort_dir": "DESC"}, [3, 2, 1]),
        ({"above": 0, "parity": "even"}, [2]),
        ({"above": 0, "parity": "uneven"}, [1, 3]),
        ({"above": 0, "but": 2}, [1, 2, 3]),
        ({"above": 0, "below": 4, "but": 2}, [1, 3]),
    ],
    ids=str,
)
def test_a_marked_line_is_sent_when_what_it_names_is_given(folder, owner_url, given, found):
    queries = Queries(folder)
    with psycopg.connect(owner_url, row_factory=dict_row) as connection, queries.on(connection):
        assert [row["number"] for row in queries.thing_list(**{"sort_dir": "ASC", **given})] == found


def test_the_first_and_last_line_tell_name_and_variant_and_parameters_are_numbered(folder):
    queries = Queries(folder)
    with queries.on(object()):
        head, *body, foot = queries.thing_list.sent({"above": 1, "sort_dir": "ASC"}).text.decode().split("\n")
    assert head == foot == "-- thing_list: above, sort_dir=ASC"
    assert "    and number > cast($1 as integer)" in body
    assert not any("--?" in line or ":" in line for line in body)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("    and true --? a b", "list.sql:11, thing_list: 'a b' is no condition"),
        ("    --? above", "list.sql:11, thing_list: a mark stands behind a line"),
        ("    --? }", "list.sql:11, thing_list: a } closes nothing"),
        ("    --? above {", "list.sql:5, thing_list: a block is not closed"),
    ],
)
def test_a_broken_mark_names_file_and_line(folder, line, message):
    lines = LIST.split("\n")
    lines[10] = line
    (folder / "things" / "list.sql").write_text("\n".join(lines))
    with pytest.raises(StatementError, match=message):
        list(Queries(folder))


def unlike(statement):
    """{text without names and numbers of parameters: names} of a list, for each of its marks alone."""
    marks = {name: words or (True,) for name, words in statement.words.items() if name != "filtered"}
    orders = {name: words[0] for name, words in marks.items() if name in ("sort_by", "sort_dir")}
    names = {}
    for name, words in marks.items():
        for word in words:
            variant = statement.variant({**orders, name: word})
            names.setdefault(re.sub(r"\$\d+", "$", variant.text), set()).add(variant.name)
    return names


@pytest.mark.parametrize("name", [query.name for query in shipped_queries if re.search("list$|export$", query.name)])
def test_each_filter_of_a_list_is_another_statement_to_pg_stat_statements(name):
    statement = getattr(shipped_queries, name).statement
    assert [names for names in unlike(statement).values() if len(names) > 1] == []
