"""Settings that cannot work stop the start by their name; guessable secrets are refused; URLs as libpq reads them."""

import secrets

import pytest

from pipeline.process.settings import SettingsError, check_production, load
from pipeline.process.settings.database_url import is_database_url, login_of, with_login
from pipeline.process.settings.secrets import weakness

HOSTS = "postgresql://a@db1:5432,db2:5433/pipeline?target_session_attrs=read-write"
GOOD = {
    "DATABASE_URL": "postgresql://pipeline_app@db/pipeline",
    "JWT_SECRET": secrets.token_hex(32),
    "PUBLIC_URL": "https://a.example",
}


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("WEB_THREADS", "0", "must be at least 1"),
        ("WEB_THREADS", "9", "DATABASE_POOL must be at least WEB_THREADS, which is 9"),
        ("DOCUMENT_PROCESSES", "8", "less than DATABASE_POOL, which is 8"),
        ("WORKER_STOP_SECONDS", "-1", "at least 0"),
        ("TRUSTED_PROXIES", "-1", "at least 0"),
        ("TRUSTED_PROXIES", "all", "of type int"),
        ("RATE_LIMIT_FACTOR", "0", "at least 1"),
        ("REDIS_URL", "redis://127.0.0.1:6379/first", "not a URL like"),
        ("REDIS_URL", "http://127.0.0.1", "not a URL like"),
        ("MAIL_TRANSPORT", "carrier pigeon", "smtp or log"),
        *(
            ("MAIL_HELO", value, "like mail.example.com")
            for value in (
                "mx acme",
                "b\xfccher..example",
                "a" * 64 + ".example",
                "[192.0.2.7]",
                "https://mx.example",
                "a@b",
            )
        ),
        ("WORKER_METRICS", "6544", "like 127.0.0.1:6544"),
        ("WORKER_METRICS", "127.0.0.1:65536", "like 127.0.0.1:6544"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318", "like http://collector:4318"),
        ("SIGNING_TSA_URL", "tsa.example", "like https://tsa.example.com"),
        *(
            ("CORS_ORIGINS", value, "must hold origins")
            for value in ("*", "app.acme.example", "https://app.acme.example/", "https://A.example", "null")
        ),
    ],
)
def test_a_setting_that_cannot_work_stops_the_start(variable, value, told):
    with pytest.raises(SettingsError, match=variable) as refused:
        load({}, GOOD | {variable: value})
    assert told in str(refused.value)


def test_traces_without_their_packages_stop_the_start(monkeypatch):
    monkeypatch.setattr("pipeline.process.settings.find_spec", lambda _name: None)
    with pytest.raises(SettingsError, match="requirements/traces.lock"):
        load({}, GOOD | {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"})


@pytest.mark.parametrize(("given", "slots"), [({}, 3), ({"WEB_THREADS": "2"}, 1), ({"WEB_THREADS": "1"}, 1)])
def test_a_thread_stays_free_for_light_requests(given, slots):
    assert load({}, GOOD | given).heavy_requests == slots


@pytest.mark.parametrize(
    ("secret", "why"),
    [
        ("", "32 characters"),
        ("7f0c9ae1d25b38464ab09cd2e7f1365", "32 characters"),
        ("a" * 32, "different"),
        ("0123456789" * 4, "repeats"),
        ("change-me-change-me-change-me-change", "different"),
        ("please-change-me-before-you-go-live-0123456789", "instructions"),
        ("pipeline-demo, pipeline-demo, and once more!", "instructions"),
        ("Your_Secret_Key goes here, at least 32 letters", "instructions"),
        ("abcdefghijklmnopqrstuvwxyz0123456789", "instructions"),
    ],
)
def test_a_guessable_secret_is_weak_and_a_generated_one_is_not(secret, why):
    assert why in weakness(secret)
    assert weakness(secrets.token_hex(32)) is weakness(secrets.token_urlsafe(32)) is None


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("JWT_SECRET", "hunter2" * 5),
        ("JWT_RETIRED_KEYS", "0:" + "b" * 32),
        ("PUBLIC_URL", ""),
        ("PUBLIC_URL", "sales.example.com"),
        ("PUBLIC_URL", "https://sales.example.com/"),
        ("PUBLIC_URL", "https:///x"),
        ("PUBLIC_URL", "https://x?y"),
    ],
)
def test_production_starts_with_no_guessable_secret_and_no_address_that_clients_do_not_reach(variable, value):
    check_production(load({}, GOOD))
    with pytest.raises(SettingsError, match=variable) as raised:
        check_production(load({}, GOOD | {variable: value}))
    assert "hunter2" not in str(raised.value)


def test_development_needs_neither_and_sends_no_mail():
    weak = load({}, GOOD | {"JWT_SECRET": "x" * 32, "PUBLIC_URL": "", "PIPELINE_ENVIRONMENT": "development"})
    check_production(weak)
    assert (load({}, GOOD).mail_transport, weak.mail_transport) == ("smtp", "log")


@pytest.mark.parametrize(
    ("url", "taken"),
    [
        *((url, True) for url in (HOSTS, "postgres://db/p", "postgresql:///p?host=/run/pg&port=5432")),
        *((url, False) for url in ("pipeline", "mysql://db/p", "postgresql://a:0/p", "postgresql://a/p?b=c")),
        ("postgresql://[::1]:1/p", True),
        ("postgresql://a:1,b:x/p", False),
    ],
)
def test_a_database_url_is_what_libpq_takes(url, taken):
    assert is_database_url(url) == taken


@pytest.mark.parametrize(
    ("url", "given", "changed"),
    [
        (HOSTS, ("b", "p@ss"), HOSTS.replace("a@", "b:p%40ss@")),
        ("postgresql://a:p%2Fq@db/p", ("b",), "postgresql://b:p%2Fq@db/p"),
        ("postgresql://a:p@db/p", ("b", ""), "postgresql://b@db/p"),
    ],
)
def test_another_login_leaves_the_hosts_and_the_parameters_and_the_password_unless_a_new_one_is_given(
    url, given, changed
):
    assert with_login(url, *given) == changed


def test_a_login_among_the_parameters_is_replaced_too():
    changed = with_login("postgresql:///p?user=postgres&host=/run/pg&password=x", "pipeline_app")
    assert login_of(changed) == ("pipeline_app", "x")
