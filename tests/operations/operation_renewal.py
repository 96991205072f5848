"""Files of sql/ are read anew by SIGHUP while clients work: no request fails, and a broken file changes nothing."""

import signal

import pytest

from experiments.chaos.processes import wait_until
from tests.operations.load import Load
from tests.operations.service import copied

CLIENTS, BETWEEN, TURNS = 16, 200, 10
# Two web processes, and one for each queue.
PROCESSES = 5
BROKEN, BESIDE = "from leads as lead", "from leads_of_nobody as lead"

pytestmark = pytest.mark.timeout(600)


def said(programs, word):
    return sum(program.printed().count(word) for program in programs)


def test_queries_are_changed_under_load_without_a_failure(service, tmp_path):
    root = copied(tmp_path / "copy")
    environ = service.environ(root=root)
    programs = service.serve(environ, root=root), service.work(environ, root=root)
    file = root / "sql" / "leads" / "list.sql"
    whole = file.read_text()
    with Load(service.organizations(programs[0].port, 4), CLIENTS, lambda: programs[0].port) as load:
        for turn in range(TURNS):
            broken = turn % 2
            changed = whole.replace(BROKEN, BESIDE) if broken else whole.replace(BROKEN, f"{BROKEN} -- turn {turn}")
            assert changed != whole
            file.write_text(changed)
            for program in programs:
                program.process.send_signal(signal.SIGHUP)
            load.wait_for(BETWEEN)
            wanted = PROCESSES * (turn // 2 + 1)
            word = "leads_of_nobody" if broken else "were read anew"
            wait_until(
                lambda word=word, wanted=wanted: said(programs, word) >= wanted, 60, f"turn {turn} is taken over"
            )
    print(f"{load.answers.total()} requests, {TURNS} times SIGHUP, failures: {load.failures}")
    assert load.failures == {}
    assert said(programs, f"{file}:") == PROCESSES * TURNS // 2
