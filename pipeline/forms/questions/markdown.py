"""Markdown: paragraphs, `*emphasis*`, `**strong**`, `-` lists, links to https or mailto; no HTML.

Marks are limited (interviews/templates/work.py); results are cached by version.
"""

import functools
import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, list_block
from markdown_it.rules_inline import StateInline, emphasis
from markdown_it.token import Token
from markupsafe import Markup

from pipeline.forms.directions import CONTACT, runs_right
from pipeline.forms.questions.piping import Piped, Tags, tags_of
from pipeline.interviews.templates.work import LABELLED, MARK
from pipeline.validation import Values

# Cached versions.
VERSIONS = 256
RULES = ("link", "list", "newline", "escape", "emphasis")
# Labels turn these into spans.
PHRASES = {"p", "ul", "li"}
BREAKS = ("softbreak", "hardbreak")
AWAY: dict[str, str | int | float] = {"target": "_blank", "rel": "noopener noreferrer nofollow"}
_TARGET = re.compile(r"(https://[^/?#]|mailto:[^?])", re.IGNORECASE)


def _dashed(state: StateBlock, line: int, last: int, silent: bool) -> bool:
    start = state.bMarks[line] + state.tShift[line]
    return state.src[start : start + 1] == "-" and list_block(state, line, last, silent)


def _starred(state: StateInline, silent: bool) -> bool:
    return state.src[state.pos] == "*" and emphasis.tokenize(state, silent)


def _parser() -> MarkdownIt:
    parser = MarkdownIt("zero", {"breaks": True}).enable(list(RULES))
    parser.block.ruler.at("list", _dashed, {"alt": ["paragraph"]})
    parser.inline.ruler.at("emphasis", _starred)
    # The parser stops only at these characters.
    parser.inline.terminator_re = MARK
    # The documented way to replace the method.
    vars(parser)["validateLink"] = lambda url: _TARGET.match(url) is not None
    return parser


_PARSER = _parser()


def to_html(text: str, opens: str, phrases: bool = False) -> Markup:
    """Renders HTML. opens: hidden words for links in a new tab; phrases: spans instead of blocks."""
    tokens = _PARSER.parse(text)
    for token in tokens:
        if phrases and token.tag in PHRASES:
            token.attrs = {"class": token.tag} if token.nesting == 1 else {}
            token.tag = "span"
        token.children = token.children and list(_safe_links(token.children, opens))
        if token.children and runs_right(token.content):
            token.children = [part for child in token.children for part in _isolated(child)]
    return Markup(_PARSER.renderer.render(tokens, _PARSER.options, {}).strip())


def _isolated(token: Token) -> Iterator[Token]:
    """A text's tokens, with its numbers and addresses in elements of their own."""
    if token.type != "text":
        yield token
        return
    end = 0
    for found in CONTACT.finditer(token.content):
        yield Token("text", "", 0, content=token.content[end : found.start()])
        yield Token("bdi_open", "bdi", 1, attrs={"dir": "ltr"})
        yield Token("text", "", 0, content=found[0])
        yield Token("bdi_close", "bdi", -1)
        end = found.end()
    yield Token("text", "", 0, content=token.content[end:])


def to_text(text: str) -> str:
    inline = (token.children or [] for token in _PARSER.parse(text) if token.type == "inline")
    words = ((" " if token.type in BREAKS else token.content for token in tokens) for tokens in inline)
    return " ".join("".join(some).strip() for some in words)


class RenderedTexts:
    """Caches the rendered texts of one version."""

    def __init__(self) -> None:
        self.made, self.said = functools.cache(to_html), functools.cache(to_text)
        self.tags: dict[str, Tags] = {}
        # Pages already rendered.
        self.pages: set[str] = set()

    def html(self, text: str, opens: str, phrases: bool = False) -> Markup:
        """See to_html."""
        made = self.made(_raw(text), opens, phrases)
        return text.into(made) if isinstance(text, Piped) else made

    def words(self, text: str) -> str:
        """See to_text."""
        made = self.said(_raw(text))
        return Piped.of(made, text.said) if isinstance(text, Piped) else made

    def label(self, question: Values) -> str:
        """A question's label without marks."""
        return self.words(question["label"]) if question["type"] in LABELLED else question["label"]

    def tags_of(self, template: Values) -> Tags:
        language = template["language"]
        if language not in self.tags:
            self.tags[language] = tags_of(template)
        return self.tags[language]


@functools.lru_cache(VERSIONS)
def written(version_id: int) -> RenderedTexts:
    return RenderedTexts()


def _raw(text: str) -> str:
    """The text to cache, without answers."""
    return text.raw if isinstance(text, Piped) else text


def _is_mail(target: str) -> bool:
    return target.lower().startswith("mailto:")


def _safe_links(tokens: list[Token], opens: str) -> Iterator[Token]:
    """Web links open new tabs without referrer; an empty link shows its URL."""
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
