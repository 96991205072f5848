"""The tags of a PDF for screen readers, where PDF/UA asks for more than WeasyPrint makes of the content."""

import pydyf


def settle(_document: object, pdf: pydyf.PDF) -> None:
    """Let each head of a table say what it heads, and no heading be more than one level below the one before.

    WeasyPrint lists the heads of each cell instead: one that spans several columns heads the first of them alone there,
    and a cell beside a head of its row has none. It calls this with the `pydyf.PDF` that it is about to write.
    """
    elements = {one.reference: one for one in pdf.objects if hasattr(one, "keys") and "S" in one}
    above: list[str] = []
    for element in elements.values():
        kind = element["S"]
        if kind == "/TR":
            _scope([elements[kid] for kid in element["K"]])
        elif kind[:2] == "/H" and kind[2:].isdigit():
            above = [level for level in above if level < kind] + [kind]
            element["S"] = f"/H{len(above)}"


def _scope(cells: list[pydyf.Dictionary]) -> None:
    """The heads of a row head their columns where the row has nothing else, and the row where it has."""
    scope = "/Row" if any(cell["S"] == "/TD" for cell in cells) else "/Column"
    for cell in cells:
        if cell["S"] == "/TH":
            cell["A"]["Scope"] = scope
        else:
            cell["A"].pop("Headers", None)
