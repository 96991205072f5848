"""HTML as word processors put it on the clipboard, each by its own rules."""

SPACES = "<span style='font:7.0pt \"Times New Roman\"'>&nbsp;&nbsp;&nbsp; </span>"
CLASSES = {"p": "MsoListParagraph"}


def word(marker, text, level=1, list="l0", tag="p", left=None):
    """A list paragraph of Word and Outlook."""
    place = f"margin-left:{left}pt;" if left is not None else ""
    return (
        f"<{tag} class={CLASSES.get(tag, 'MsoNormal')} style='{place}text-indent:-18.0pt;mso-list:{list} level{level} "
        f"lfo1'><![if !supportLists]><span lang=EN-GB><span style='mso-list:Ignore'>{marker}{SPACES}</span></span>"
        f"<![endif]>{text}<o:p></o:p></{tag}>\n"
    )


def filtered(marker, text, left=36, tag="p"):
    """A list paragraph of Word's filtered HTML, which has lost its list."""
    return (
        f"<{tag} class=MsoListParagraph style='margin-left:{left}.0pt;text-indent:-18.0pt'>"
        f"<span lang=EN-GB>{marker}{SPACES}</span>{text}</{tag}>\n"
    )


def field(code, shown):
    """A field of Word, with its code."""
    mark = "<span style='mso-element:field-{}'></span>".format
    return f"{mark('begin')} {code} {mark('separator')}{shown}{mark('end')}"


def unseen_field(code, shown):
    """A field of Word, whose code stands in a conditional comment."""
    code = f"<span style='mso-element:field-begin'></span> {code} <span style='mso-element:field-separator'></span>"
    end = "<span style='mso-element:field-end'></span>"
    return f"<!--[if supportFields]>{code}<![endif]-->{shown}<!--[if supportFields]>{end}<![endif]-->"


def google(kind, *texts, level=1):
    """A list of Google Docs; a text is HTML or another list."""
    style = f"list-style-type:{kind};font-size:11pt;font-family:Arial;color:#000000;white-space:pre"
    item = f'<li dir="ltr" style="{style}" aria-level="{level}"><p dir="ltr"><span>{{}}</span></p></li>'
    items = "".join(text if text.startswith("<ol") else item.format(text) for text in texts)
    return f'<ol style="margin-top:0;margin-bottom:0;padding-inline-start:48px">{items}</ol>'
