"""Adjusts WeasyPrint's PDF tags to PDF/UA."""

import pydyf


def correct_tags(_document: object, pdf: pydyf.PDF) -> None:
    """Sets the scope of table heads, and closes gaps between heading levels."""
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
    scope = "/Row" if any(cell["S"] == "/TD" for cell in cells) else "/Column"
    for cell in cells:
        if cell["S"] == "/TH":
            cell["A"]["Scope"] = scope
        else:
            cell["A"].pop("Headers", None)
