"""What the set-up needs from the system."""

import pytest

from development import system

NOWHERE = ("no-such-package", "program", "no-such-program")


@pytest.fixture
def needs(monkeypatch):
    """The set-up needs one program that nobody has."""
    monkeypatch.setitem(system.NEEDS, "serve", [NOWHERE])


def test_what_is_there_is_not_asked_for():
    assert system.missing(system.TESTS) == []
    assert system.main("tests") == 0


@pytest.mark.parametrize("need", [NOWHERE, ("a", "library", "no-such", "no-such.so.0"), ("a", "font", "No Such Font")])
def test_what_is_not_there_is_noticed(need):
    assert system.missing([*system.SERVE, need]) == [need[0]]


def test_who_may_not_install_is_told_the_command(needs, monkeypatch, capsys):
    monkeypatch.setattr(system.os, "geteuid", lambda: 1000)
    assert system.main("serve") == 1
    assert "sudo apt-get install -q -y --no-install-recommends no-such-package" in capsys.readouterr().err
