"""The web processes: they stop in order, are replaced when they die, and end with their parent."""

import json
import signal
from contextlib import ExitStack, closing
from socket import create_connection

import psutil
import pytest

from pipeline.cli.serving.listening import bound_socket
from pipeline.http.server.serving import WebServer
from tests.server.clients import HEALTH, REFRESH, get, problem
from tests.server.conftest import LARGE
from tests.waiting import SECONDS, is_listening, wait_until

BODY = json.dumps({"refresh_token": "x"}).encode()


def test_a_process_that_dies_is_replaced_and_finishes_what_arrives_and_leaves_before_a_stop(
    new_server, large_copy, member
):
    head = REFRESH + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(BODY)
    with new_server() as server:
        first = server.web_process()
        first.kill()
        wait_until(lambda: [one for one in server.web_processes() if one.pid != first.pid])
        assert server.serves()
        assert "web process died" in server.log()
        with server.connect(head) as client, server.connect(get(large_copy, member), room=4096) as reader:
            assert client.answer().startswith(b"HTTP/1.1 100")
            client.send(BODY[:1])
            reader.socket.recv(100)
            server.process.send_signal(signal.SIGTERM)
            wait_until(lambda: not is_listening(server.port))
            client.send(BODY[1:])
            answer = client.answer()
            assert (problem(answer)[0], b"Connection: close" in answer) == (401, True)
            assert len(reader.rest()) > LARGE
        assert server.process.wait(SECONDS) == 0


def test_until_a_server_can_answer_connections_are_refused():
    with closing(bound_socket("127.0.0.1", 0)) as listener:
        with pytest.raises(ConnectionRefusedError):
            create_connection(listener.getsockname())
        with closing(serving(listener)):
            create_connection(listener.getsockname()).close()


def test_connections_that_wait_in_the_kernel_when_the_server_is_to_stop_are_answered():
    with closing(bound_socket("127.0.0.1", 0)) as listener, ExitStack() as stack:
        server = serving(listener)
        clients = [stack.enter_context(closing(create_connection(listener.getsockname()))) for _ in range(100)]
        for client in clients:
            client.sendall(HEALTH)
        server.stop()
        server.run()
        assert [client.recv(12) for client in clients] == [b"HTTP/1.1 200"] * 100


@pytest.mark.long
def test_a_silent_client_does_not_delay_the_stop(new_server):
    with new_server() as server, server.connect(HEALTH) as kept, server.attacked_by(20, b"GET"):
        kept.answer()
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(SECONDS) == 0


def serving(listener):
    def application(_environ, start_response):
        start_response("200 OK", [])
        return [b""]

    return WebServer(application, listener, threads=1)


@pytest.mark.long
def test_no_process_outlives_its_parent(new_server):
    with new_server() as server:
        child = server.web_process()
        server.process.kill()
        wait_until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE)
