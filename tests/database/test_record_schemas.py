"""The described columns of records are those of the catalog."""

import json

from development import record_schemas
from pipeline.http.endpoints.contract import endpoints
from pipeline.http.endpoints.shapes import ListOf, Record


def test_the_file_is_made_from_the_catalog(owner):
    assert record_schemas.FILE.read_text() == record_schemas.records(owner), (
        "python -m development.record_schemas writes it"
    )


def records_of(wsgi):
    """The Records that endpoints answer with."""
    answers = [contract.answer for contract in endpoints(wsgi.registry)]
    return [answer for answer in answers if isinstance(answer, Record)]


def test_every_column_of_a_record_says_what_it_is(wsgi):
    columns = json.loads(record_schemas.FILE.read_text())
    for record in records_of(wsgi):
        told = {name for name, column in columns[record.record].items() if "description" in column}
        assert columns[record.record].keys() <= told | record.members.keys() | {"note_count", "task_count"}


def test_what_is_told_of_a_record_beside_the_catalog_is_one_of_its_columns(wsgi):
    columns = json.loads(record_schemas.FILE.read_text())
    for record in records_of(wsgi):
        assert {*record.members, *record.unlisted, *record.left_out} <= columns[record.record].keys()


def test_every_json_answer_has_a_shape(wsgi):
    silent = [
        (contract.method, contract.path)
        for contract in endpoints(wsgi.registry)
        if contract.gives == "application/json" and contract.status != 204 and contract.answer is None
    ]
    assert silent == []


def test_a_list_shows_its_records_without_what_it_leaves_out(wsgi):
    for contract in endpoints(wsgi.registry):
        if isinstance(contract.answer, ListOf):
            item = contract.answer.members["data"]["items"]
            assert not isinstance(item, Record) or not item.unlisted


def test_every_record_that_people_and_programs_create_tells_its_creator():
    silent = {"notification", "organization", "user", "webhook_delivery"}
    columns = json.loads(record_schemas.FILE.read_text())
    made = {name for name, record in columns.items() if "created_at" in record} - silent
    creator = {"created_by", "created_by_kind", "created_by_name"}
    assert [name for name in sorted(made) if not columns[name].keys() >= creator] == []
