"""The order of requests that wait for a thread."""

from types import SimpleNamespace

import pytest

from pipeline.http.server.exchange import Channel
from pipeline.http.server.serving import Turns


def taken(*clients):
    """The order in which requests are taken whose clients sent them in this order, named by client and number.

    A client may be written `party/client`.
    """
    turns = Turns()
    for number, client in enumerate(clients):
        party, _, _ = client.rpartition("/")
        turns.append(SimpleNamespace(party=party, client=client, name=f"{client}{number}"))
    return [turns.popleft().name for _ in range(len(turns))]


def test_clients_take_turns_however_many_requests_each_of_them_sends():
    assert taken("a", "a", "a", "b", "c", "b") == ["a0", "b3", "c4", "a1", "b5", "a2"]


def test_an_organization_waits_for_one_request_of_another_however_many_addresses_that_has():
    assert taken("evil/a", "evil/b", "evil/c", "good/d") == ["evil/a0", "good/d3", "evil/b1", "evil/c2"]


def test_the_requests_of_a_client_that_wait_are_counted():
    turns = Turns()
    for party in ("forms", "forms", "1"):
        turns.append(SimpleNamespace(party=party, client="a"))
    turns.popleft()
    assert (turns.waiting("a"), turns.waiting("b"), len(turns)) == (2, 0, 2)


@pytest.mark.parametrize(
    ("path", "party"),
    [
        ("/forms/capture/x", "/forms/"),
        ("/api/public/interview/x", "/api/public/"),
        ("/sign/x", "/sign/"),
        ("/healthz", "/healthz"),
        ("/x", ""),
    ],
)
def test_requests_without_a_valid_token_take_turns_apart_from_organizations(path, party):
    assert party_of(path, "Bearer nothing") == party
    assert party_of(path, "Bearer valid") == "7"


def party_of(path, authorization):
    request = SimpleNamespace(headers={"AUTHORIZATION": authorization}, path=path)
    server = SimpleNamespace(organization_of={"Bearer valid": 7}.get)
    return Channel.party.fget(SimpleNamespace(requests=[request], server=server))


def test_behind_a_proxy_its_clients_take_turns_and_else_the_peers_do():
    def client(proxies):
        request = SimpleNamespace(headers={"X_FORWARDED_FOR": "6.6.6.6, 192.0.2.1"})
        own = SimpleNamespace(requests=[request], addr=("127.0.0.1", 1), server=SimpleNamespace(proxies=proxies))
        return Channel.client.fget(own)

    assert [client(proxies) for proxies in (0, 1)] == ["127.0.0.1", "192.0.2.1"]
