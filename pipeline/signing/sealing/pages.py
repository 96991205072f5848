"""The HTML of signatures and of the certificate page."""

import functools
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from babel.dates import format_date
from lxml import etree
from lxml.builder import E

from pipeline.contracts.merge.values.blocks import SIGNATURE
from pipeline.contracts.merge.values.filters import style_of
from pipeline.contracts.merge.values.insertion import filled
from pipeline.documents.subset import PARTIES
from pipeline.signing.envelope import Envelope, Signature, SignatureEvent
from pipeline.signing.sealing.moments import moment

TEXTS = Path(__file__).with_name("texts")
# Of these, the page lists the newest of each signer.
REPEATED, NEWEST = ("reminded", "code_sent", "verified"), 3
# Letters of a name among the events, and of a typed one in a large face.
SHORT_NAME, LARGE_NAME = 60, 40
NO_TITLE = "–"


class Seal(NamedTuple):
    """The facts of the seal on the certificate's page."""

    certificate: str
    issuer: str
    fingerprint: str
    self_made: bool
    timestamped: bool
    verify_url: str


@functools.cache
def texts_of(language: str) -> dict[str, Any]:
    """The texts of a language tag (default English), with `language` and `direction`."""
    code = language.replace("_", "-").partition("-")[0].lower()
    file = TEXTS / f"{code}.json"
    known = code.isalpha() and file.is_file()
    texts = json.loads((file if known else TEXTS / "en.json").read_text(encoding="utf-8"))
    own = {"language": language if known else "en", "direction": "rtl" if code == "ar" else "ltr"}
    return {**texts, **own}


class Writer:
    """Writes the parts of one envelope."""

    def __init__(self, envelope: Envelope) -> None:
        self.envelope = envelope
        self.texts = texts_of(envelope.language)
        self.direction = self.texts["direction"]
        self.locale = style_of(self.texts["language"], None, region=envelope.region).dates
        # The contract's own dates.
        self.dates = style_of(envelope.contract_language, None, region=envelope.region).dates
        self.zone = ZoneInfo(envelope.time_zone)
        self.images = [one.drawing for one in envelope.signatures if one.drawing is not None]

    def signature(self, one: Signature, direction: str) -> list[etree._Element]:
        """A typed or drawn signature, with name and time."""
        if one.drawing is not None:
            number = next(place for place, image in enumerate(self.images) if image is one.drawing)
            alternative = self.texts["drawn_signature"].format(name=one.name)
            mark = E.img(src=f"pipeline:image-{number}", alt=_plain(alternative))
            mark.set("class", "drawn")
        else:
            mark = self._filled("span", one.text, "typed" if len(one.text) <= LARGE_NAME else "typed long", direction)
        # Two lines, so that a block keeps its columns.
        lines = (f"{one.name},", self.stamp(one.signed_at))
        caption = [part for line in lines for part in (self._filled("span", line, "signed-by", direction), E.br())]
        return [mark, E.br(), *caption]

    def places(self, printed: Mapping[str, list[str]], found: Iterable[str]) -> tuple[tuple[str, str], ...]:
        """(place, HTML) for the parties with signers; `printed` are the names and titles in their places."""
        direction, result = self.envelope.direction, []
        for place in sorted(found):
            party, _dash, part = place.partition("-")
            signers = self.of(party)
            if part == "signature":
                parts = [element for one in signers for element in self.signature(one, direction)]
            else:
                values = self._values(part, signers, printed.get(f"{party}-name", []))
                parts = [element for value in values for element in (filled(E.span(), value, direction), E.br())]
            if parts:
                result.append((place, "".join(map(_html, parts[:-1]))))
        return tuple(result)

    def _values(self, part: str, signers: list[Signature], printed: list[str]) -> list[str]:
        """The lines of a place; a printed title stays with the person that it belongs to."""
        if part == "date":
            return [self.day(one.signed_at) for one in signers]
        if part == "name":
            return [one.name for one in signers]
        if any(one.title for one in signers):
            return [one.title or NO_TITLE for one in signers]
        return [] if not printed or any(one.is_printed for one in signers) else [SIGNATURE] * bool(signers)

    def references(self, found: Iterable[str]) -> tuple[tuple[str, str], ...]:
        """(place, HTML) that points to the page of signatures, for the parties with signers."""
        text = _html(filled(E.span(), self.texts["elsewhere"], self.envelope.direction))
        return tuple((place, text) for place in sorted(found) if self._stands_elsewhere(*place.split("-")))

    def _stands_elsewhere(self, party: str, part: str) -> bool:
        return any(part != "title" or one.title for one in self.of(party))

    def closing(self, parties: Iterable[str], seal: Seal) -> str:
        """The signatures of parties without a place, then the certificate page."""
        pages = [page for page in (self._signatures(parties), self._certificate(seal)) if page is not None]
        for page in pages[1:]:
            page.set("class", "certificate schedule")
        return "".join(map(_html, pages))

    def of(self, party: str) -> list[Signature]:
        return [one for one in self.envelope.signatures if one.party == party]

    def day(self, at: datetime) -> str:
        """A date for the contract."""
        return format_date(at.astimezone(self.zone), "medium", locale=self.dates)

    def stamp(self, at: datetime) -> str:
        """Date and minute with the zone, for the contract."""
        return moment(at.astimezone(self.zone), "medium", "short", self.dates)

    def moment(self, at: datetime | None) -> str:
        """Date and second with the zone."""
        if at is None:
            return str(self.texts["untold"])
        return moment(at.astimezone(self.zone), "long", "medium", self.locale)

    def _signatures(self, parties: Iterable[str]) -> etree._Element | None:
        wanted = [party for party in PARTIES if party in parties and self.of(party)]
        if not wanted:
            return None
        page = E.div(self._filled("h1", self.texts["signatures"]), {"class": "certificate"})
        for party in wanted:
            page.append(self._filled("h2", self.texts[party]))
            for one in self.of(party):
                paragraph = E.p(*self.signature(one, self.direction)[:-1], {"class": "signed"})
                page.append(E.div(paragraph))
        return page

    def _certificate(self, seal: Seal) -> etree._Element:
        texts, envelope = self.texts, self.envelope
        about = {
            "contract": envelope.contract_name,
            "number": envelope.contract_number,
            "organization": envelope.organization_name,
            "slug": envelope.organization_slug,
            **({"legal_name": envelope.legal_name} if envelope.legal_name else {}),
            "revision": str(envelope.revision),
            "sent_at": self.moment(envelope.sent_at),
            "completed_at": self.moment(envelope.completed_at),
            "document_digest": envelope.document_sha256,
        }
        page = E.div(self._filled("h1", texts["title"]), self._facts(about), {"class": "certificate"})
        page.append(self._filled("h2", texts["signers"]))
        for one in envelope.signatures:
            page.append(self._filled("h3", one.name))
            page.append(self._facts(self._signer(one)))
            page.append(self._consent(one))
        page.append(self._filled("h2", texts["events"]))
        page.append(self._events())
        page.append(self._filled("h2", texts["seal"]))
        about = {"certificate": seal.certificate, "issuer": seal.issuer, "fingerprint": seal.fingerprint}
        page.append(self._facts(about))
        notes = {"self_made": seal.self_made, "timestamped": seal.timestamped}
        for note in (texts[name] for name, applies in notes.items() if applies):
            page.append(self._filled("p", note))
        page.append(self._filled("p", texts["verify"].format(url=seal.verify_url)))
        return page

    def _signer(self, one: Signature) -> dict[str, str]:
        return {
            "licensor" if one.party == "licensor" else "licensee": one.name,
            **({"position": one.title} if one.title else {}),
            "email": one.email,
            "method": self.texts[one.kind],
            "viewed_at": self.moment(one.viewed_at),
            "signed_at": self.moment(one.signed_at),
            "address": one.address or self.texts["untold"],
            "user_agent": one.user_agent or self.texts["untold"],
        }

    def _consent(self, one: Signature) -> etree._Element:
        words = texts_of(one.language)
        head = self._filled("strong", f"{self.texts['consent']}: ")
        return E.p(head, filled(E.span(lang=one.language, dir=words["direction"]), one.consent, words["direction"]))

    def _events(self) -> etree._Element:
        heads = [self._filled("th", self.texts[name]) for name in ("time", "event", "person", "address")]
        rows, listed = [], _listed(self.envelope.events)
        for one in listed:
            word = self.texts["event_words"].get(one.event, one.event.replace("_", " "))
            cells = (self.moment(one.at), word, _short(one.signer_name or ""), one.address or "")
            rows.append(E.tr(*[self._filled("td", cell) for cell in cells]))
        if further := len(self.envelope.events) - len(listed):
            rows.append(E.tr(E.td(f"… + {further}", colspan=str(len(heads)))))
        return E.table(E.thead(E.tr(*heads)), E.tbody(*rows))

    def _facts(self, values: dict[str, str]) -> etree._Element:
        rows = []
        for name, value in values.items():
            kind = "digest" if name in ("document_digest", "fingerprint") else ""
            rows.append(E.tr(self._filled("th", self.texts[name]), self._filled("td", value, kind)))
        return E.table(E.tbody(*rows), {"class": "facts"})

    def _filled(self, tag: str, text: str, name: str = "", direction: str = "") -> etree._Element:
        element = filled(E(tag), text, direction or self.direction)
        if name:
            element.set("class", name)
        return element


def _listed(events: Iterable[SignatureEvent]) -> list[SignatureEvent]:
    """The events without the older ones of REPEATED."""
    newer: Counter[tuple[str, str | None]] = Counter()
    listed = []
    for one in reversed([*events]):
        kind = one.event, one.signer_name
        newer[kind] += 1
        if one.event not in REPEATED or newer[kind] <= NEWEST:
            listed.append(one)
    return listed[::-1]


def _short(name: str) -> str:
    return name if len(name) <= SHORT_NAME else f"{name[: SHORT_NAME - 1]}…"


def _plain(text: str) -> str:
    return filled(E.span(), text, "ltr").text or ""


def _html(element: etree._Element) -> str:
    return etree.tostring(element, encoding="unicode", method="html", with_tail=False)
