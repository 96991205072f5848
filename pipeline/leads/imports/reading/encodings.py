"""The encoding of an uploaded text."""

import codecs
import io
from collections.abc import Iterator
from typing import IO, NamedTuple

from pipeline.leads.imports.columns import refused, storable
from pipeline.leads.imports.reading.alphabets import GUESSED, ranked

UTF_8, UTF_16 = "utf-8", "utf-16"
# The words of the parameter; each is a codec of Python.
ENCODINGS = (UTF_8, UTF_16, *GUESSED, "iso-8859-1", "iso-8859-15")
_BOMS = ((codecs.BOM_UTF8, UTF_8), (codecs.BOM_UTF16_LE, UTF_16), (codecs.BOM_UTF16_BE, UTF_16))
_BLOCK, _SAMPLE = 256 * 1024, 16 * 1024
# A smaller share of fitting letters is refused, or told; a second guess is as good within this difference.
_WRONG, _UNSURE, _AS_GOOD = 0.5, 0.85, 0.05
# Characters of a doubtful line in a report.
_SHOWN = 80
CURE = f"Save it as CSV UTF-8, or name its encoding by the parameter encoding: {', '.join(ENCODINGS)}."


class Doubt(NamedTuple):
    """Why an encoding may be wrong: words as it reads them, another encoding, and what they would be in that."""

    read: str
    other: str
    otherwise: str


class DecodedText(NamedTuple):
    """A text at its start, the word for its encoding, and the Doubt in it."""

    lines: IO[str]
    encoding: str
    doubt: Doubt | None


class _Text(io.TextIOWrapper):
    """A text whose file stays open."""

    def close(self) -> None:
        self.detach()


def open_text(file: IO[bytes], named: str | None) -> DecodedText:
    """Returns the Text in its own or the named encoding; raises 422 for none of ENCODINGS."""
    file.seek(0)
    start = file.read(_BLOCK)
    encoding, codec = _marked(start) if named in (None, UTF_8, UTF_16) else (None, None)
    doubt = None
    if encoding is None or (named is not None and named != encoding):
        encoding, doubt = (named, _contradicted(file, named)) if named else _guessed(file)
        codec = encoding
    if codec == UTF_16 and not start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        codec = "utf-16-le"
    file.seek(0)
    # A broken character is an error of its row.
    lines = _Text(file, encoding="utf-8-sig" if codec == UTF_8 else codec, errors="surrogateescape", newline="")
    return DecodedText(lines, encoding, doubt)


def _marked(start: bytes) -> tuple[str | None, str | None]:
    """Returns (word, codec) by the byte order mark, or by the zeros of UTF-16 without one."""
    if start.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        raise refused("unsupported_encoding", f"The file is UTF-32. {CURE}")
    for mark, word in _BOMS:
        if start.startswith(mark):
            return word, word
    head = start[:400]
    if b"\x00" in head:
        even, odd = head[::2].count(0), head[1::2].count(0)
        if max(even, odd) * 4 > len(head) and min(even, odd) * 10 < len(head):
            return UTF_16, "utf-16-le" if odd > even else "utf-16-be"
        if (even + odd) * 20 > len(head):
            raise refused("unsupported_encoding", f"The file is not a text. {CURE}")
    return None, None


def _guessed(file: IO[bytes]) -> tuple[str, Doubt | None]:
    """UTF-8 if nearly all is, else the likeliest of GUESSED; raises 422 if the letters fit none."""
    sample = _other_than_utf_8(file)
    if sample is None:
        return UTF_8, None
    (best, word), *others = ranked(sample)
    if best.share < _WRONG:
        raise refused("unsupported_encoding", f"The letters of the file fit no encoding. {CURE}")
    read = sample.decode(word, "replace")
    second, other = next((rank, other) for rank, other in others if sample.decode(other, "replace") != read)
    as_good = best.titles == second.titles and best.share - second.share < _AS_GOOD
    return word, _doubt(sample, word, other) if as_good or best.share < _UNSURE else None


def _contradicted(file: IO[bytes], named: str) -> Doubt | None:
    """The Doubt in a named encoding of a file that is UTF-8."""
    if named in (UTF_8, UTF_16) or _other_than_utf_8(file) is not None:
        return None
    file.seek(0)
    lines = b"\n".join(line for line in file.read(_BLOCK).splitlines() if not line.isascii())
    return _doubt(lines, named, UTF_8) if lines else None


def _doubt(sample: bytes, word: str, other: str) -> Doubt:
    """The first line that the two encodings read differently, by its words that differ."""
    lines = ([line.decode(codec, "replace").split() for codec in (word, other)] for line in sample.splitlines())
    read, otherwise = next(pair for pair in lines if pair[0] != pair[1])
    if len(read) == len(otherwise):
        pairs = [pair for pair in zip(read, otherwise, strict=True) if pair[0] != pair[1]]
        read, otherwise = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return Doubt(storable(" ".join(read)[:_SHOWN]), other, storable(" ".join(otherwise)[:_SHOWN]))


def _other_than_utf_8(file: IO[bytes]) -> bytes | None:
    """The first lines with other bytes than ASCII; None if nearly all characters are UTF-8."""
    sample, good, bad = bytearray(), 0, 0
    for block in _blocks(file):
        if block.isascii():
            continue
        text = block.decode(UTF_8, "replace")
        broken = text.count("\ufffd")
        good, bad = good + sum(map(text.count, set(text) - _ASCII)) - broken, bad + broken
        if bad and len(sample) < _SAMPLE:
            sample += b"\n".join(line for line in block.splitlines() if not line.isascii())[:_SAMPLE]
    return bytes(sample) if bad * 10 > good else None


_ASCII = set(map(chr, range(128)))


def _blocks(file: IO[bytes]) -> Iterator[bytes]:
    """The content in blocks of whole lines."""
    file.seek(0)
    rest = b""
    while block := file.read(_BLOCK):
        head, end, rest = (rest + block).rpartition(b"\n")
        yield head + end
    yield rest
