"""Completes PDFs that LibreOffice has made: what PDF/UA asks for, and the closing pages of a sealed copy."""

import io
from collections.abc import Iterator

import pikepdf
from pikepdf import Array, Dictionary, Name, NumberTree, String


def completed(made: bytes, title: str, closing: tuple[bytes, str] | None = None) -> bytes:
    """The PDF with its title and the pages of `closing`: (PDF, language)."""
    written = io.BytesIO()
    with pikepdf.open(io.BytesIO(made)) as pdf:
        with pdf.open_metadata(set_pikepdf_as_editor=False) as metadata:
            metadata["dc:title"] = title
        pdf.Root.ViewerPreferences = Dictionary(DisplayDocTitle=True)
        for page in pdf.pages:
            page.Tabs = Name.S
        for number, element in enumerate(_elements(pdf.Root.get("/StructTreeRoot", Dictionary()))):
            if element.get("/S") == Name.Note and "/ID" not in element:
                element.ID = String(f"note-{number}")
        if closing:
            with pikepdf.open(io.BytesIO(closing[0])) as further:
                _join(pdf, further, closing[1])
                pdf.save(written)
        else:
            pdf.save(written)
    return written.getvalue()


def _elements(holder: pikepdf.Object) -> Iterator[pikepdf.Object]:
    """The structure elements below one."""
    waiting = [holder]
    while waiting:
        kids = waiting.pop().get("/K", Array())
        for kid in kids if isinstance(kids, Array) else [kids]:
            if isinstance(kid, Dictionary) and "/S" in kid:
                yield kid
                waiting.append(kid)


def _join(pdf: pikepdf.Pdf, further: pikepdf.Pdf, language: str) -> None:
    """Appends the pages and their structure; keys of the structure's index follow those that are there."""
    count = len(pdf.pages)
    pdf.pages.extend(further.pages)
    root = pdf.Root.get("/StructTreeRoot")
    if root is None or "/StructTreeRoot" not in further.Root:
        return
    # After the pages, so that the structure refers to the copied ones.
    other = pdf.copy_foreign(further.Root.StructTreeRoot)
    index = NumberTree(root.ParentTree)
    start = max(index, default=-1) + 1
    found = NumberTree(other.ParentTree)
    for key in found:
        index[start + key] = found[key]
    root.ParentTreeNextKey = start + max(found, default=-1) + 1
    for page in [*pdf.pages][count:]:
        for one in [page.obj, *page.get("/Annots", ())]:
            for name in ("/StructParents", "/StructParent"):
                if name in one:
                    one[name] = start + int(one[name])
    given, added = (one.K if isinstance(one.K, Array) else Array([one.K]) for one in (root, other))
    for element in added:
        element.P, element.Lang = root, String(language)
    root.K = Array([*given, *added])
    _merge_roles(root, other)


def _merge_roles(root: pikepdf.Object, other: pikepdf.Object) -> None:
    for name in ("/RoleMap", "/ClassMap"):
        if name in other:
            root[name] = Dictionary({**dict(other[name]), **dict(root.get(name, Dictionary()))})
