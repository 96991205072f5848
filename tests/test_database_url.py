"""URLs of PostgreSQL, as libpq accepts them."""

import pytest

from pipeline.process.settings.database_url import is_database_url, login_of, with_login

HOSTS = "postgresql://a@db1:5432,db2:5433/pipeline?target_session_attrs=read-write"


@pytest.mark.parametrize(
    "url", [HOSTS, "postgres://db/p", "postgresql:///p?host=/run/pg&port=5432", "postgresql://[::1]:1/p"]
)
def test_what_libpq_takes_is_taken(url):
    assert is_database_url(url)


@pytest.mark.parametrize(
    "url", ["pipeline", "mysql://db/p", "postgresql://a:0/p", "postgresql://a:1,b:x/p", "postgresql://a/p?b=c"]
)
def test_what_libpq_refuses_is_refused(url):
    assert not is_database_url(url)


def test_another_login_leaves_the_hosts_and_the_parameters():
    changed = with_login(HOSTS, "pipeline_jobs", "p@ss")
    assert changed == "postgresql://pipeline_jobs:p%40ss@db1:5432,db2:5433/pipeline?target_session_attrs=read-write"
    assert login_of(changed) == ("pipeline_jobs", "p@ss")


def test_the_password_stays_unless_a_new_one_is_given():
    assert with_login("postgresql://a:p%2Fq@db/p", "b") == "postgresql://b:p%2Fq@db/p"
    assert with_login("postgresql://a:p@db/p", "b", "") == "postgresql://b@db/p"


def test_a_login_among_the_parameters_is_replaced_too():
    changed = with_login("postgresql:///p?user=postgres&host=/run/pg&password=x", "pipeline_app")
    assert login_of(changed) == ("pipeline_app", "x")
