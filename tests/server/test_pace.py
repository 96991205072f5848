"""How fast clients are heard: large bodies are read at a pace, and who is told to come back later rests."""

import os
import socket
import threading

import pytest

from pipeline.server.bounds import Bounds
from pipeline.server.pace import AHEAD, BYTES_PER_SECOND, MIB, PART, Pace
from pipeline.server.server import Server
from tests.server.clients import Client
from tests.waiting import Clock, wait_until

SIZE = 20 * MIB
HEAD = b"POST /x HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data\r\nContent-Length: %d\r\n\r\n" % SIZE
BUSY, READY = (b"GET /%b HTTP/1.1\r\nHost: x\r\n\r\n" % name for name in (b"busy", b"ready"))
OWN, OTHER = "127.0.0.2", "127.0.0.3"


@pytest.fixture
def pace():
    """A Pace by a Clock."""
    return Pace(Clock())


def test_what_one_upload_has_is_read_as_it_comes(pace):
    assert pace.read("a", AHEAD)


def test_who_is_ahead_waits_and_another_group_does_not(pace):
    assert not pace.read("a", AHEAD + 1)
    assert pace.read("b", AHEAD)


def test_a_group_goes_on_as_its_pace_permits(pace):
    pace.read("a", AHEAD + BYTES_PER_SECOND // 4)
    pace.wait("a", 0, "body")
    assert pace.rested() == []
    pace.clock.now = 0.25
    assert pace.rested() == ["body"]
    assert not pace.read("a", 1)


def test_whatever_a_crowd_has_sent_those_who_wait_go_on_soon_after(pace):
    for _ in range(1000):
        pace.read("a", AHEAD)
    pace.wait("a", 0, "body")
    pace.clock.now = AHEAD / BYTES_PER_SECOND
    assert pace.rested() == ["body"]


def test_of_those_who_wait_the_first_that_began_go_on_together(pace):
    for number in reversed(range(2 * PART)):
        pace.wait("a", number, number)
    assert pace.rested() == [0, 1]
    pace.wait("a", 0, 0)
    assert pace.rested() == [0, 2]


def test_nothing_is_kept_of_a_group_that_rests(pace):
    pace.read("a", MIB)
    pace.wait("a", 0, "body")
    pace.clock.now = 1
    pace.rested()
    assert not pace.even
    assert not pace.waiting


@pytest.fixture
def server():
    """A Server in this process, to which each address is a group; its pace goes by a Clock.

    `port` is its own, `asked` are the addresses whose group was asked for.
    """
    heard = []
    listener = socket.create_server(("127.0.0.1", 0))
    server = Server(
        answer, listener, 4, Bounds(), lambda environ: heard.append(environ["REMOTE_ADDR"]) or (environ["REMOTE_ADDR"],)
    )
    server.pace, server.port, server.asked = Pace(Clock()), listener.getsockname()[1], heard
    asked, ask = os.pipe()
    thread = threading.Thread(target=server.run, args=((asked,),))
    thread.start()
    yield server
    os.close(ask)
    thread.join()
    os.close(asked)


def answer(environ, start):
    """The application."""
    start("429 Too Many Requests" if environ["PATH_INFO"] == "/busy" else "204 No Content", [])
    return ()


def test_a_body_that_waits_holds_up_no_other_group_and_is_taken_when_it_is_time(server):
    bodies = [Client(server.port, HEAD, OWN, None) for _ in range(2)]
    sending = [threading.Thread(target=body.send, args=(bytes(SIZE),)) for body in bodies]
    for thread in sending:
        thread.start()
    wait_until(lambda: (OWN,) in server.pace.waiting)
    with Client(server.port, HEAD + bytes(SIZE), OTHER, None) as other:
        assert other.answer().startswith(b"HTTP/1.1 204")
    assert (OWN,) in server.pace.waiting
    server.pace.clock.now = 1
    for thread, body in zip(sending, bodies, strict=True):
        with body:
            assert body.answer().startswith(b"HTTP/1.1 204")
        thread.join()


def test_whose_a_body_is_is_found_out_once_for_its_pace_and_once_for_its_turn(server):
    with Client(server.port, HEAD, OWN, None) as client:
        for _ in range(20):
            client.send(bytes(SIZE // 20))
        assert client.answer().startswith(b"HTTP/1.1 204")
    assert server.asked == [OWN, OWN]


def test_the_end_of_its_patience_lets_nobody_go_on_who_is_to_wait(server):
    server.pace.read((OWN,), 2 * AHEAD)
    with Client(server.port, HEAD + bytes(MIB), OWN, None):
        paused = wait_until(lambda: [one for one in server.parked.values() if one.paused])[0]
        paused.deadline = 0.0
        wait_until(lambda: paused.deadline)
        assert paused.paused


def test_a_connection_that_is_told_to_come_back_later_is_not_heard_again_at_once(server):
    with Client(server.port, BUSY + READY, OWN, None) as client:
        assert client.answer().startswith(b"HTTP/1.1 429")
        wait_until(lambda: server.pace.resting)
        with Client(server.port, READY, OTHER, None) as other:
            assert other.answer().startswith(b"HTTP/1.1 204")
        assert server.pace.resting
        server.pace.clock.now = 1
        assert client.answer().startswith(b"HTTP/1.1 204")


def test_a_connection_of_a_proxy_does_not_rest(server):
    server.bounds = Bounds(connections_per_address=0)
    with Client(server.port, BUSY + READY, OWN, None) as client:
        assert client.answer().startswith(b"HTTP/1.1 429")
        assert client.answer().startswith(b"HTTP/1.1 204")
