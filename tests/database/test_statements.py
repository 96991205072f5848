"""Marked lines: the lines of a sent statement, and the errors of an invalid file."""

import psycopg
import pytest
from psycopg.rows import dict_row

from pipeline.database import Queries
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


@pytest.fixture
def numbers(folder, owner_url):
    """numbers(**parameters): the list's numbers."""
    queries = Queries(folder)
    with psycopg.connect(owner_url, row_factory=dict_row) as connection, queries.on(connection):
        yield lambda **parameters: [row["number"] for row in queries.thing_list(**parameters)]


def text(folder, **parameters):
    """The lines that are sent for some parameters."""
    queries = Queries(folder)
    with queries.on(object()):
        return queries.thing_list.sent(parameters).text.decode().split("\n")


def test_a_line_without_a_mark_is_always_sent_and_a_marked_one_when_its_parameter_is_given(numbers):
    assert numbers(above=1, sort_dir="ASC") == [2, 3, 4]
    assert numbers(sort_dir="ASC") == [1, 3, 4]


def test_a_word_chooses_its_lines(numbers):
    assert numbers(above=0, sort_dir="DESC") == [4, 3, 2, 1]
    assert numbers(above=0, parity="uneven", sort_dir="ASC") == [1, 3]


def test_a_block_is_sent_whole_but_for_the_marks_in_it(numbers):
    assert numbers(above=0, below=4, but=2, sort_dir="ASC") == [1, 3]
    assert numbers(above=0, but=2, sort_dir="ASC") == [1, 2, 3, 4]


def test_the_first_and_last_line_tell_name_and_variant_and_parameters_are_numbered(folder):
    head, *body, foot = text(folder, above=1, sort_dir="ASC")
    assert head == foot == "-- thing_list: above, sort_dir=ASC"
    assert "    and number > cast($1 as integer)" in body
    assert not any("--?" in line or ":" in line for line in body)


def test_a_word_that_no_line_knows_is_refused(folder):
    with pytest.raises(ValueError, match="has no sort_dir 'UP'; it has ASC, DESC"):
        text(folder, sort_dir="UP")


def test_a_parameter_that_no_line_has_or_that_is_missing_is_an_error(folder):
    with pytest.raises(TypeError, match="thing_list has no parameter abov"):
        text(folder, abov=1)
    (folder / "things" / "one.sql").write_text("--:name thing_single :one\nselect cast(:id as bigint) as id;\n")
    queries = Queries(folder)
    with queries.on(object()), pytest.raises(TypeError, match="thing_single needs the parameter id"):
        queries.thing_single()


def test_a_mark_filtered_holds_where_any_filter_is_given_and_an_order_is_none(folder):
    filtered = LIST.replace("    and number <> 2 --? !above", "    and number <> 3 --? filtered")
    (folder / "things" / "list.sql").write_text(filtered)
    assert "    and number <> 3" in text(folder, above=1, sort_dir="ASC")
    assert "    and number <> 3" not in text(folder, sort_dir="ASC")


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


FIELDS = """--:name thing_insert :affected
--:doc A thing.
--:fields thing: name, full_name, size,
--:fields thing: colour
insert into things (
    name, --* thing, !size
    size_minor
)
values (
    :name, --* thing, !size
    :size
);

--:name thing_update :affected
--:doc The same fields, wherever the list stands.
update things set
    name = :name --* thing
where id = :id;
"""


@pytest.fixture
def written(folder):
    """written(name): the parts of a statement of FIELDS, without blanks."""
    (folder / "things" / "fields.sql").write_text(FIELDS)
    queries = Queries(folder)
    return lambda name: [line.strip() for line in getattr(queries, name).statement.all_lines.split("\n")]


def test_a_line_for_each_field_is_written_once_for_each_with_commas_between(written):
    assert written("thing_update")[1:-1] == [
        "name = :name,",
        "full_name = :full_name,",
        "size = :size,",
        "colour = :colour",
    ]


def test_a_field_may_be_left_out_and_what_follows_keeps_its_comma(written):
    insert = written("thing_insert")
    assert insert[1:5] == ["name,", "full_name,", "colour,", "size_minor"]
    assert insert[7:11] == [":name,", ":full_name,", ":colour,", ":size"]


@pytest.mark.parametrize(
    ("wrong", "message"), [("--* thong", "no list of fields thong"), ("--* thing, !name", "names the first, full_name")]
)
def test_a_line_for_each_field_that_cannot_be_written_names_file_and_line(wrong, message, folder):
    (folder / "things" / "fields.sql").write_text(FIELDS.replace("= :name --* thing", f"= :name {wrong}"))
    with pytest.raises(StatementError, match=rf"fields\.sql:17, thing_update: .*{message}"):
        list(Queries(folder))
