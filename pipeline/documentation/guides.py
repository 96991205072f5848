"""Pages of docs/ as HTML; the first heading is the title."""

from functools import cache
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markupsafe import Markup
from mdit_py_plugins.anchors import anchors_plugin

from pipeline.documentation import failures
from pipeline.settings.shipped import shipped

# In the order of the menu.
GUIDES = (
    "concepts",
    "accounts",
    "api-keys",
    "paging",
    "idempotency",
    "errors",
    "limits",
    "leads-csv",
    "contracts",
    "merge-tags",
    "records",
    "changes",
    "webhooks",
    "personal-data",
)


class Guide(NamedTuple):
    """A page: name in the URL, title, {anchor: words} of sections, HTML."""

    name: str
    title: str
    sections: dict[str, str]
    text: Markup


@cache
def read(name: str) -> Guide:
    """The Guide with this name."""
    if name == "errors":
        return Guide(name, *failures.page(markdown()))
    kit = markdown()
    tokens = kit.parse((shipped("docs") / f"{name}.md").read_text("utf-8"))
    headings = [
        (token, inline.content.replace("`", ""))
        for token, inline in zip(tokens, tokens[1:], strict=False)
        if token.type == "heading_open"
    ]
    sections = {str(token.attrs["id"]): words for token, words in headings if token.tag == "h2"}
    return Guide(name, headings[0][1], sections, Markup(kit.renderer.render(tokens, kit.options, {})))


@cache
def markdown() -> MarkdownIt:
    """A parser for CommonMark with tables, without HTML."""
    kit = MarkdownIt("commonmark", {"html": False}).enable("table").use(anchors_plugin, max_level=4)
    kit.core.ruler.push("links", connect)
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


def address(target: str) -> str | None:
    """The URL of a link in docs/, or None."""
    page, mark, anchor = target.partition("#")
    if not page or page.startswith(("https:", "/")):
        return target
    name = page.removesuffix(".md")
    return f"/docs/{name}{mark}{anchor}" if name in GUIDES and name != page else None
