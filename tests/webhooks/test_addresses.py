"""Allowed URLs of webhooks: public hosts by https, however an address is written."""

import pytest

from pipeline.changes.webhooks import addresses, schemas, service
from pipeline.changes.webhooks.transport import NoAnswer, post
from pipeline.validation import Invalid
from tests.support import codes

WRITTEN = {
    "another scheme": "http://hooks.example.com/ ftp://hooks.example.com/ gopher://hooks.example.com/_x",
    "no host": "file:///etc/passwd https:///path //hooks.example.com/",
    "loopback": "https://127.0.0.1/ https://127.0.0.1.:443/ https://0.0.0.0/ https://[::1]/ https://[::]/",
    "loopback in short": "https://127.1/ https://2130706433/ https://0x7f000001/ https://017700000001/",
    "loopback in other digits": "https://0x7f.0.0.1/ https://0177.0.0.1/ https://①②⑦.⓪.⓪.①/",
    "loopback in IPv6": "https://[::ffff:127.0.0.1]/ https://[::ffff:7f00:1]/",
    "a private address": "https://10.0.0.1/ https://[fd00:ec2::254]/ https://[fe80::1%25eth0]/",
    "metadata of a cloud": "https://169.254.169.254/latest/ https://[64:ff9b::a9fe:a9fe]/ https://metadata/",
    "a public address": "https://8.8.8.8/",
    "this machine": "https://localhost/ https://localhost./ https://api.localhost/ https://pipeline.example/api/leads",
    "another host before it": "https://hooks.example.com@127.0.0.1/ https://127.0.0.1#@hooks.example.com/",
    "a backslash": "https://127.0.0.1\\@hooks.example.com/",
    "no port": "https://hooks.example.com:0/",
}
# Of a name that anybody may give to any address.
NAMED = {
    "loopback": "127.0.0.1 127.8.9.10 0.0.0.0 ::1 ::",
    "private": "10.1.2.3 172.16.0.1 192.168.1.1 100.64.0.1 fec0::1 fd00::1",
    "link-local": "169.254.169.254 fe80::1",
    "multicast": "224.0.0.1 255.255.255.255 ff02::1",
    "reserved": "192.0.0.8 198.18.0.1 203.0.113.7 2001:db8::1",
    "another in itself": "::ffff:10.0.0.1 ::127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 2002:7f00:1::1 2001:0:7f00:1::1",
    "this service's": "5.5.5.5",
}
REBOUND = "https://rebound.example.com/"


def refused_at_save(url, settings):
    """Whether a webhook with this URL is a 422."""
    try:
        service.check_url(schemas.Target().read(url), settings)
    except Invalid:
        return True
    return False


def refused_at_call(url, settings):
    """Whether no message is sent there."""
    with pytest.raises(NoAnswer, match="The host"):
        post(url, {}, b"{}", settings)
    return True


@pytest.fixture
def public(names):
    """The names, with a public host and the service's own."""
    names.names |= {"hooks.example.com": [["93.184.216.34"]], "pipeline.example": [["5.5.5.5"]]}
    return names


def test_a_public_host_is_let_through(public, strict):
    assert not refused_at_save("https://hooks.example.com/hook?key=1", strict)
    assert addresses.reachable("hooks.example.com", strict, 1) == ["93.184.216.34"]
    assert [addresses.is_of_this_machine(one) for one in ("127.0.0.1", "93.184.216.34")] == [True, False]


@pytest.mark.parametrize("kind", WRITTEN)
def test_a_hostile_url_is_refused_when_it_is_saved(kind, public, strict):
    for url in WRITTEN[kind].split():
        assert refused_at_save(url, strict), url


@pytest.mark.parametrize("kind", NAMED)
def test_a_name_of_a_hostile_address_is_refused_when_it_is_saved_and_when_it_is_called(kind, public, strict):
    for address in NAMED[kind].split():
        public.names["rebound.example.com"] = [[address]]
        assert refused_at_save(REBOUND, strict), address
        assert refused_at_call(REBOUND, strict), address


@pytest.mark.parametrize("found", [["93.184.216.34", "10.0.0.1"], ["93.184.216.34", "::1"], []])
def test_a_name_is_refused_for_one_hostile_address_among_others_and_for_none(found, public, strict):
    public.names["rebound.example.com"] = [found]
    assert refused_at_save(REBOUND, strict)
    assert refused_at_call(REBOUND, strict)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/", "http://[::1]:1/", "https://2130706433/", "http://localhost:1/"]
)
def test_an_address_saved_in_development_is_not_called_in_production(url, public, strict):
    assert refused_at_call(url, strict)


def test_a_name_that_was_public_when_it_was_saved_is_refused_when_it_is_called(public, strict, receiver):
    public.names["rebound.example.com"] = [["93.184.216.34"], ["127.0.0.1"]]
    assert not refused_at_save(REBOUND, strict)
    assert refused_at_call(f"https://rebound.example.com:{receiver.port}/", strict)
    assert receiver.received == []


def test_a_name_is_looked_up_once_for_a_message_and_its_answer_is_what_is_called(names, settings, receiver):
    names.names["rebound.example.com"] = [["127.0.0.1"], ["127.0.0.9"]]
    assert post(f"http://rebound.example.com:{receiver.port}/hook", {}, b"{}", settings).code == 204
    assert names.asked == ["rebound.example.com"]
    assert receiver.received[0].headers["host"] == f"rebound.example.com:{receiver.port}"


def test_the_endpoint_names_what_is_wrong(admin, wsgi, monkeypatch, strict, public):
    monkeypatch.setattr(wsgi.registry, "pipeline", strict)
    public.names["inside.example.com"] = [["10.0.0.1"]]
    for url, code in (("https://inside.example.com/", "unreachable_host"), ("https://10.0.0.1/", "invalid_url")):
        answer = admin.post("/api/webhooks", {"url": url, "events": ["lead.created"]}, status=422)
        assert codes(answer) == [("url", code)]
