"""Declarations of records match statements, filters and orders."""

import pytest

from pipeline.database import queries
from pipeline.http.endpoints import declared
from pipeline.http.endpoints.declared import Records
from pipeline.http.endpoints.pagination import list_query
from pipeline.validation import Choice, QueryId


def test_a_declaration_whose_statements_are_missing_is_refused_at_once():
    with pytest.raises(AttributeError, match="no query named team_of_nobody_list"):
        Records("/teams-of-nobody", "team_of_nobody").list("list_teams_of_nobody")


def test_every_declared_statement_is_noted(wsgi):
    assert {"team_list", "team_get", "team_insert", "team_update", "team_delete"} <= declared.STATEMENTS
    assert "lead_list" not in declared.STATEMENTS  # the service answers it


def test_a_list_takes_the_filters_and_orders_of_its_statement():
    query = list_query(queries.quote_list, status=Choice("draft"))
    names = [node.name for node in query.children]
    filters = ["search", "deal_id", "status", "updated_since"]
    assert names == ["page", "per_page", "after_id", "ids", "sort_dir", *filters, "sort_by"]
    assert tuple(query["sort_by"].typ.values) == queries.quote_list.words("sort_by")


def test_a_list_without_filters_has_orders_alone():
    names = [node.name for node in list_query(queries.deal_stage_list).children]
    assert names == ["page", "per_page", "after_id", "ids", "sort_dir", "sort_by"]


def test_a_filter_is_what_its_statement_casts_it_to_unless_it_is_told():
    assert isinstance(list_query(queries.contact_list)["company_id"].typ, QueryId)
    assert isinstance(list_query(queries.quote_list, status=Choice("draft"))["status"].typ, Choice)
