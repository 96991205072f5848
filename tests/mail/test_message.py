"""The bytes of a message: safe headers, addresses of every kind, the same bytes each time."""

from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.utils import parseaddr

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.mail.addresses import MAX_NAME, mailbox, one_line
from pipeline.mail.message import compose

EMAIL = {
    "message_id": "<0123456789abcdef0123456789abcdef@pipeline.example>",
    "from_email": "mail@pipeline.example",
    "from_name": "Acme",
    "to_email": "pat@prospect.example",
    "to_name": "Pat",
    "reply_to_email": None,
    "subject": "Hello",
    "body_text": "Hello",
    "body_html": "<p>Hello</p>",
    "attachment": None,
    "signer_part": None,
    "unsubscribe_url": None,
    "created_at": datetime(2026, 1, 31, 9, 30, tzinfo=UTC),
}
HEADERS = {"from", "to", "subject", "date", "message-id", "auto-submitted", "x-auto-response-suppress"} | {
    "mime-version",
    "content-type",
}
ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)
ATTACK = "Pat\r\nBcc: victim@else.example\r\n\r\n<script>"


def parsed(**changes):
    """A message as it arrives; every server can carry each of its lines."""
    content = compose({**EMAIL, **changes}).content
    assert content.isascii()
    assert b"\n" not in content.replace(b"\r\n", b"")
    assert max(map(len, content.split(b"\r\n"))) <= 998
    return message_from_bytes(content, policy=policy.default)


@given(ANY, ANY, ANY)
@example(ATTACK, ATTACK, ATTACK)
@example("a, b <x@y.example>" * 9, '"; =?utf-8?q?x?= ' * 9, "=?utf-8?q?=0d=0aBcc:_x?=")
@example("É" * 100, "名" * 100, "long words " * 27)
@example("\u2028\x85\x0b\x0c", "\x1c\x1d\x1e", "\r\r\n\n")
def test_no_text_adds_a_header_or_a_recipient(from_name, to_name, subject):
    names = {"from_name": one_line(from_name, MAX_NAME), "to_name": one_line(to_name, MAX_NAME)}
    message = parsed(**names, subject=one_line(subject, 200))
    assert sorted(name.lower() for name in message) == sorted(HEADERS)
    assert [one.addr_spec for one in message["To"].addresses] == ["pat@prospect.example"]
    assert [one.addr_spec for one in message["From"].addresses] == ["mail@pipeline.example"]
    assert message.get_body(["plain"]).get_content().strip() == "Hello"


@given(ANY, ANY)
@example("É" * 100, "long words " * 27)
@example('Pat "The Boss" O\'Neil, Jr.', "Re: 1 + 1 = 2 (?)")
def test_names_and_subjects_arrive_as_they_were_written(name, subject):
    name, subject = one_line(name, MAX_NAME), one_line(subject, 200)
    message = message_from_bytes(compose({**EMAIL, "to_name": name, "subject": subject}).content)
    written, spec = parseaddr(message["To"])
    assert (decoded(written), spec) == (name, "pat@prospect.example")
    assert decoded(message["Subject"]) == subject


def decoded(text):
    """What a mail program shows for a header's value."""
    return str(make_header(decode_header(text)))


@given(ANY, ANY)
@example(".\r\n.\r\nQUIT\r\n", "<p>.</p>\n.\n..\n")
@example("From here\nFrom there", "x" * 300)
def test_every_body_arrives_as_it_was_written(text, html):
    message = parsed(body_text=text, body_html=html)
    for kind, written in (("plain", text), ("html", html)):
        assert lines(message.get_body([kind]).get_content()) == lines(written)


def lines(text):
    """The lines of a text, whatever ends them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n").split("\n")


@pytest.mark.parametrize(
    ("to", "international"), [("pat@xn--bcher-kva.example", False), ("pät@xn--bcher-kva.example", True)]
)
def test_a_domain_goes_out_in_ascii_and_a_name_beyond_it_needs_an_international_server(to, international):
    message = compose({**EMAIL, "to_email": to.replace("xn--bcher-kva", "bücher")})
    assert (message.recipient, message.international) == (to, international)
    assert f"To: Pat <{to}>\r\n".encode() in message.content


@pytest.mark.parametrize("strange", ["nobody", "pät@prospect.example", "a@b.example\r\nBcc: c@d.example"])
def test_an_address_for_answers_that_not_every_server_takes_is_left_out(strange):
    message = compose({**EMAIL, "reply_to_email": strange})
    assert b"Reply-To" not in message.content
    assert b"Bcc" not in message.content
    assert not message.international


@pytest.mark.parametrize(
    "bad", ["pat", "pat@localhost", "a@b.example\r\nBcc: c@d.example", "a@b.example, c@d.example", ""]
)
def test_anything_but_a_single_address_is_refused(bad):
    with pytest.raises(ValueError, match="not an email address"):
        compose({**EMAIL, "to_email": bad})


def test_a_line_holds_no_control_characters_or_direction_marks_and_has_an_end():
    assert one_line("a\r\n\tb\u202ec\u2066\u061c", 10) == "a bc"
    assert one_line("abcdefghijk", 5) == "abcd…"
    assert one_line(None, 5) == ""


def test_a_sender_is_an_address_with_or_without_a_name():
    assert mailbox('"Acme, Inc." <a@b.example>') == ("Acme, Inc.", "a@b.example")
    assert mailbox("a@b.example") == ("", "a@b.example")
    for unreadable in ("", "Pipeline", "a <b> <c@d.example>", "a@b.example, c@d.example"):
        with pytest.raises(ValueError, match="is not an"):
            mailbox(unreadable)


def test_a_pdf_goes_with_the_texts_and_a_resend_is_the_same_bytes():
    email = {**EMAIL, "attachment": b"%PDF-1.7 " + bytes(range(256))}
    message = parsed(**email)
    (attached,) = message.iter_attachments()
    assert (attached.get_content_type(), attached.get_content()) == ("application/pdf", email["attachment"])
    assert message.get_body(["html"]).get_content().strip() == "<p>Hello</p>"
    assert compose(email).content == compose(email).content
