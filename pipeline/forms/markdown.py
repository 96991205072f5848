"""The small Markdown of a template's longer texts: paragraphs, `*emphasis*`, `**strong**`, `-` lists, links; no HTML.

The parser is markdown-it-py with these rules alone, so whatever else is written is text. It never makes an element or
an attribute that is not named here, and a link leads to https or mailto only.

Parsing takes time for each mark of a text. A template may have so many marks (pipeline/interviews/marks.py), and what
is made of them is kept for each version.
"""

import functools
import re
import threading
from collections.abc import Callable, Iterator
from typing import TypeVar

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, list_block
from markdown_it.rules_inline import StateInline, emphasis
from markdown_it.token import Token
from markupsafe import Markup

from pipeline.interviews.marks import LABELLED, MARK
from pipeline.validation import Values

K = TypeVar("K")
V = TypeVar("V")
# The texts of so many versions are kept in a process.
VERSIONS = 256
RULES = ("link", "list", "newline", "escape", "emphasis")
# What stands within a label may hold phrases only.
PHRASES = {"p", "ul", "li"}
BREAKS = ("softbreak", "hardbreak")
AWAY: dict[str, str | int | float] = {"target": "_blank", "rel": "noopener noreferrer nofollow"}
_TARGET = re.compile(r"(https://[^/?#]|mailto:[^?])", re.IGNORECASE)


def _dashed(state: StateBlock, line: int, last: int, silent: bool) -> bool:
    """A list whose items begin with a dash; `1.`, `+` and `*` begin no list."""
    start = state.bMarks[line] + state.tShift[line]
    return state.src[start : start + 1] == "-" and list_block(state, line, last, silent)


def _starred(state: StateInline, silent: bool) -> bool:
    """Emphasis by stars; an underscore is a character of names."""
    return state.src[state.pos] == "*" and emphasis.tokenize(state, silent)


def _parser() -> MarkdownIt:
    parser = MarkdownIt("zero", {"breaks": True}).enable(list(RULES))
    parser.block.ruler.at("list", _dashed, {"alt": ["paragraph"]})
    parser.inline.ruler.at("emphasis", _starred)
    # At these signs alone the parser looks for what they mean.
    parser.inline.terminator_re = MARK
    # As the library says it is done: a method of this parser alone.
    vars(parser)["validateLink"] = lambda url: _TARGET.match(url) is not None
    return parser


_PARSER = _parser()


def to_html(text: str, opens: str, phrases: bool = False) -> Markup:
    """The HTML of a text.

    opens: what is said, unseen, of a link that opens a tab of its own; phrases: for a label, without blocks.
    """
    tokens = _PARSER.parse(text)
    for token in tokens:
        if phrases and token.tag in PHRASES:
            token.attrs = {"class": token.tag} if token.nesting == 1 else {}
            token.tag = "span"
        token.children = token.children and list(_safe_links(token.children, opens))
    return Markup(_PARSER.renderer.render(tokens, _PARSER.options, {}).strip())


def to_text(text: str) -> str:
    """The words of a text on one line, without its marks."""
    inline = (token.children or [] for token in _PARSER.parse(text) if token.type == "inline")
    words = ((" " if token.type in BREAKS else token.content for token in tokens) for tokens in inline)
    return " ".join("".join(some).strip() for some in words)


class Written:
    """What is made of the texts of one version of a form, in all of its languages: each text once, by its first
    reader.
    """

    def __init__(self) -> None:
        self.made: dict[tuple[str, str, bool], Markup] = {}
        self.said: dict[str, str] = {}
        # The pages whose texts are made.
        self.pages: set[str] = set()
        self.lock = threading.Lock()

    def html(self, text: str, opens: str, phrases: bool = False) -> Markup:
        """As to_html."""
        return self._once(self.made, (text, opens, phrases), lambda: to_html(text, opens, phrases))

    def words(self, text: str) -> str:
        """As to_text."""
        return self._once(self.said, text, lambda: to_text(text))

    def label(self, question: Values) -> str:
        """A question's label where a plain text is wanted."""
        return self.words(question["label"]) if question["type"] in LABELLED else question["label"]

    def _once(self, made: dict[K, V], key: K, make: Callable[[], V]) -> V:
        if key not in made:
            with self.lock:
                if key not in made:
                    made[key] = make()
        return made[key]


@functools.lru_cache(VERSIONS)
def written(version_id: int) -> Written:
    """The Written of a version, which never changes. What it makes is found by the text itself, so no other version's
    text is ever shown.
    """
    return Written()


def _is_mail(target: str) -> bool:
    return target.lower().startswith("mailto:")


def _safe_links(tokens: list[Token], opens: str) -> Iterator[Token]:
    """Tokens whose links open a tab of their own, which learns nothing of this one, and are called by something."""
    target = ""
    for place, token in enumerate(tokens):
        if token.type == "link_open":
            target = str(token.attrs["href"])
            token.attrs = {"href": target, **({} if _is_mail(target) else AWAY)}
            yield token
            if tokens[place + 1].type == "link_close":
                yield Token("text", "", 0, content=target)
            continue
        if token.type == "link_close" and not _is_mail(target):
            yield Token("apart_open", "span", 1, attrs={"class": "apart"})
            yield Token("text", "", 0, content=f" {opens}")
            yield Token("apart_close", "span", -1)
        yield token
