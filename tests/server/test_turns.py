"""Which request gets the next thread."""

from types import SimpleNamespace

from pipeline.http.exchange import Channel
from pipeline.http.serving import Turns


def taken(*clients):
    """The order in which requests are taken whose clients sent them in this order, named by client and number."""
    turns = Turns()
    for number, client in enumerate(clients):
        turns.append(SimpleNamespace(client=client, name=f"{client}{number}"))
    return [turns.popleft().name for _ in range(len(turns))]


def test_clients_take_turns_however_many_requests_each_of_them_sends():
    assert taken("a", "a", "a", "b", "c", "b") == ["a0", "b3", "c4", "a1", "b5", "a2"]


def test_behind_a_proxy_its_clients_take_turns_and_else_the_peers_do():
    def client(proxies):
        request = SimpleNamespace(headers={"X_FORWARDED_FOR": "6.6.6.6, 192.0.2.1"})
        own = SimpleNamespace(requests=[request], addr=("127.0.0.1", 1), server=SimpleNamespace(proxies=proxies))
        return Channel.client.fget(own)

    assert [client(proxies) for proxies in (0, 1)] == ["127.0.0.1", "192.0.2.1"]
