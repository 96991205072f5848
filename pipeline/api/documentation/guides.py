"""Pages of docs/ as HTML; the first heading is the title."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import Markup
from mdit_py_plugins.anchors import anchors_plugin

from pipeline.api.documentation import failures
from pipeline.api.documentation.searching import SearchHit
from pipeline.process.settings.shipped import shipped

GUIDES = (
    "quickstart",
    "concepts",
    "accounts",
    "api-keys",
    "paging",
    "idempotency",
    "compatibility",
    "errors",
    "limits",
    "leads-csv",
    "leads-import-files",
    "contracts",
    "merge-tags",
    "template-html",
    "pasted",
    "word",
    "documents",
    "signing",
    "records",
    "fields",
    "changes",
    "webhooks",
    "python",
    "typescript",
    "forms",
    "hosted-pages",
    "question-types",
    "mail",
    "notifications",
    "bounces",
    "personal-data",
    "changelog",
)
# Guides outside of docs/.
FILES = {
    "python": "clients/python/README.md",
    "typescript": "clients/typescript/README.md",
    "changelog": "CHANGELOG.md",
}
NAMES = {file: name for name, file in FILES.items()}


class Guide(NamedTuple):
    """A page: name in the URL, title, {anchor: words} of sections, HTML, searchable parts."""

    name: str
    title: str
    sections: dict[str, str]
    text: Markup
    parts: list[SearchHit]

    @property
    def address(self) -> str:
        return address_of(self.name)


def address_of(name: str) -> str:
    """The URL of a guide; the first is the start page."""
    return "/docs" if name == GUIDES[0] else f"/docs/{name}"


@cache
def read(name: str) -> Guide:
    if name == "errors":
        return Guide(name, *failures.page(markdown()))
    kit = markdown()
    tokens = kit.parse(shipped(FILES.get(name, f"docs/{name}.md")).read_text("utf-8"))
    headings = [
        (token, inline.content.replace("`", ""))
        for token, inline in zip(tokens, tokens[1:], strict=False)
        if token.type == "heading_open"
    ]
    sections = {str(token.attrs["id"]): words for token, words in headings if token.tag == "h2"}
    # Wide code scrolls, also by keyboard.
    text = Markup(kit.renderer.render(tokens, kit.options, {}).replace("<pre>", '<pre tabindex="0">'))
    return Guide(name, headings[0][1], sections, text, list(_parts(name, headings[0][1], tokens)))


def _parts(name: str, title: str, tokens: list[Token]) -> Iterator[SearchHit]:
    """The text below each heading."""
    heading, level, address, words = title, "h1", address_of(name), list[str]()
    is_heading = False
    for token in tokens:
        if token.type == "heading_open":
            yield SearchHit(heading, address, " ".join(words))
            level, address, words, is_heading = token.tag, f"{address_of(name)}#{token.attrs['id']}", [], True
        elif is_heading:
            heading, is_heading = title if level == "h1" else f"{title}: {_plain(token)}", False
        elif token.type in ("inline", "fence", "code_block"):
            words.append(_plain(token))
    yield SearchHit(heading, address, " ".join(words))


def _plain(token: Token) -> str:
    """A token's text without marks."""
    return "".join(child.content or " " for child in token.children) if token.children else token.content


@cache
def markdown() -> MarkdownIt:
    """A parser for CommonMark with tables, without HTML."""
    kit = MarkdownIt("commonmark", {"html": False}).enable("table").use(anchors_plugin, max_level=4)
    kit.core.ruler.push("links", connect)
    kit.core.ruler.push("labels", label_cells)
    # Wide tables scroll by themselves.
    kit.add_render_rule(
        "table_open", lambda *_: '<div class="wide" role="group" aria-label="Table" tabindex="0"><table>\n'
    )
    kit.add_render_rule("table_close", lambda *_: "</table></div>\n")
    return kit


def connect(state: StateCore) -> None:
    """Fix links between guides; links to other pages become text."""
    for block in state.tokens:
        kept, served = [], True
        for token in block.children or ():
            if token.type == "link_open":
                target = address(str(token.attrs["href"]))
                served = target is not None
                token.attrs["href"] = target or ""
            if served or token.type not in ("link_open", "link_close"):
                kept.append(token)
        if block.children:
            block.children = kept


def label_cells(state: StateCore) -> None:
    """Add its column's heading to each cell, for a phone."""
    names: list[str] = []
    column = 0
    for token, inline in zip(state.tokens, state.tokens[1:], strict=False):
        if token.type == "thead_open":
            names = []
        elif token.type == "tr_open":
            column = 0
        elif token.type == "th_open":
            names.append(inline.content.replace("`", ""))
        elif token.type == "td_open":
            token.attrSet("data-label", names[column])
            column += 1


def address(target: str) -> str | None:
    """The URL of a link in a guide, or None."""
    page, mark, anchor = target.partition("#")
    if not page or page.startswith(("https:", "/")):
        return target
    file = page.lstrip("./")
    name = NAMES.get(file) or file.removeprefix("docs/").removesuffix(".md")
    return f"{address_of(name)}{mark}{anchor}" if name in GUIDES and page.endswith(".md") else None
