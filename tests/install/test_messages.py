"""Messages of commands that cannot work: problem, place and remedy in one line without a secret."""

import pytest

from pipeline.process.settings.database_url import with_login
from tests.cli.conftest import Terminal, operator
from tests.install.conftest import PASSWORD


@pytest.fixture(scope="module")
def prepared(postgres, redis):
    """The environment of an operator whose database is migrated."""
    url = postgres.url("postgres", "pipeline")
    terminal = operator(url, redis.url())
    terminal.environ["WORKER_METRICS"] = "off"
    for login in ("forms", "jobs"):
        terminal.environ[f"DATABASE_{login.upper()}_URL"] = with_login(url, f"pipeline_{login}")
    terminal.run("migrate")
    return terminal.environ


def said(environ, *words, exit_code=1):
    """The one line in which a command says why it cannot work; no part of it is the password."""
    result = Terminal(environ).run(*words, exit_code=exit_code)
    assert PASSWORD not in result.output
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert result.stderr.endswith(f"{line}\n")
    return line


OWNER, CURE = "DATABASE_OWNER_URL", "; pipeline migrate gives the service's logins the passwords of their URLs"
REFUSED = 'password authentication failed for user "{}"{}'


@pytest.mark.parametrize(
    ("command", "variable", "part", "wrong", "told"),
    [
        ("migrate", OWNER, "@127", "x@127", REFUSED.format("postgres", "; correct the password in DATABASE_OWNER_URL")),
        ("serve", "DATABASE_URL", "@127", "x@127", REFUSED.format("pipeline_app", CURE)),
        ("worker", "DATABASE_JOBS_URL", "@127", "x@127", REFUSED.format("pipeline_jobs", CURE)),
        ("worker", "REDIS_URL", "@127", "x@127", "it refuses the password of REDIS_URL"),
        ("migrate --wait 0", OWNER, "/pipeline", "/nowhere", 'database "nowhere" does not exist; make it'),
        ("migrate --wait 0", OWNER, "/pipeline", "/pipeline?sslmode=require", "but SSL was required; see sslmode"),
        ("migrate --wait 0", OWNER, "127.0.0.1", "[::1]", "is the server there, and right in the URL?"),
        (
            *("serve", "DATABASE_URL", "/pipeline", "/pipeline?sslmode=verify-full&sslrootcert=/nowhere"),
            "see sslmode and sslrootcert in the URL",
        ),
        (
            *("migrate", OWNER, "//postgres", "//pipeline_app"),
            "The login pipeline_app may not set the password of pipeline_forms; set DATABASE_OWNER_URL to one that may",
        ),
    ],
)
def test_a_wrong_url_ends_the_command_without_waiting(prepared, command, variable, part, wrong, told):
    before, _, after = prepared[variable].rpartition(part)
    assert told in said({**prepared, variable: f"{before}{wrong}{after}"}, *command.split())


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"[app:main", "File contains no section headers."),
        (b"[app:main]\npipeline.audit_days = %(here)z\n", "bad interpolation variable reference"),
        (b"[app:main]\n\xff\xfe", "codec can't decode byte"),
        (b"[app:main]\npipeline.audit_day = 1\n", "Unknown setting: pipeline.audit_day"),
    ],
)
def test_a_broken_configuration_file_is_told(prepared, tmp_path, content, told):
    file = tmp_path / "pipeline.ini"
    file.write_bytes(content)
    assert told in said({**prepared, "PIPELINE_CONFIG": str(file)}, "serve", exit_code=2)


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ({"ACCESS_TOKEN_MINUTES": "0"}, "Setting ACCESS_TOKEN_MINUTES must be at least 1"),
        ({"PIPELINE_ENVIRONMENT": "staging"}, "PIPELINE_ENVIRONMENT is production or development"),
        ({"JWT_SECRET_FILE": "/nowhere"}, "Setting JWT_SECRET_FILE: /nowhere cannot be read"),
        ({"MAIL_TRANSPORT": "smtp"}, "Missing setting: set MAIL_FROM"),
    ],
)
def test_a_setting_that_cannot_work_is_told_once(prepared, setting, told):
    assert told in said({**prepared, **setting}, "worker", exit_code=2)


def test_a_folder_that_cannot_be_written_to_is_told(prepared, tmp_path):
    taken = tmp_path / "backup"
    taken.mkdir()
    assert f"{taken} cannot be created: File exists." in said(prepared, "backup", str(taken))
    assert "is not a complete backup" in said(prepared, "restore", str(taken))
