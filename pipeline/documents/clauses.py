"""Labels and numbers of list items, as both renderers count them."""

from lxml import etree

from pipeline.documents.subset import LISTS

# (format, text) per clause level in WordprocessingML terms, as in contract.css.
CLAUSES = (
    ("decimal", "%1."),
    ("decimal", "%1.%2"),
    ("lowerLetter", "(%3)"),
    ("lowerRoman", "(%4)"),
    ("upperLetter", "(%5)"),
    ("upperRoman", "(%6)"),
    ("decimal", "(%7)"),
    ("lowerLetter", "%8)"),
    ("lowerRoman", "%9)"),
)
# Abjad letters and figures, from level 3.
_ARABIC_TEXTS = ("(%3)", "(%4)", "%5)", "%6)", "[%7]", "[%8]", "%9.")
ARABIC = (*CLAUSES[:2], *((("arabicAbjad", "decimal")[place % 2], text) for place, text in enumerate(_ARABIC_TEXTS)))
PLAIN = tuple((("decimal", "lowerLetter", "lowerRoman")[level % 3], f"%{level + 1}.") for level in range(9))
# {`ol` type: WordprocessingML format}.
TYPES = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_IN_ARABIC = {"lowerLetter": "arabicAbjad", "upperLetter": "arabicAbjad", "lowerRoman": "decimal"}
_LATIN, _ABJAD = "abcdefghijklmnopqrstuvwxyz", "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ"
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
    *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)


def list_level(element: etree._Element) -> tuple[bool, int]:
    """(whether the list numbers clauses, level from 1)."""
    names = element.get("class").split()
    return "clauses" in names, int(names[-1].rpartition("-")[2])


def is_arabic(element: etree._Element) -> bool:
    """Whether a list counts in Arabic letters."""
    return "arabic-" in element.get("class", "")


def clause_levels(element: etree._Element) -> tuple[tuple[str, str], ...]:
    """The (format, text) of each level of clauses."""
    return ARABIC if is_arabic(element) else CLAUSES


def plain_level(element: etree._Element) -> tuple[str, str]:
    """(format, text) of an `ol` outside clauses."""
    form, text = PLAIN[list_level(element)[1] - 1]
    form = TYPES.get(element.get("type", ""), form)
    return _IN_ARABIC.get(form, form) if is_arabic(element) else form, text


def start_of(element: etree._Element) -> int:
    """The number of the first item."""
    return int(element.get("start", 1))


def ordinal(item: etree._Element) -> int:
    """An item's number."""
    return start_of(item.getparent()) + item.getparent().index(item)


def item_of(element: etree._Element) -> etree._Element | None:
    """The list item that is or encloses an element, or None."""
    around = (element, *element.iterancestors("li"))
    return next((one for one in around if one.tag == "li" and one.getparent().tag in LISTS), None)


def label_of(item: etree._Element) -> str:
    """An item's label: `1.`, `1.1`, `(a)`."""
    numbers_clauses, level = list_level(item.getparent())
    form, text = clause_levels(item.getparent())[level - 1] if numbers_clauses else plain_level(item.getparent())
    if numbers_clauses and level == 2:
        text = text.replace("%1", str(ordinal(item.getparent().getparent())))
    return text.replace(f"%{level}", counted(form, ordinal(item)))


def number_of(item: etree._Element | None) -> str | None:
    """An item's full number, such as `2.1(a)`; None for a bullet."""
    if item is None or item.getparent().tag != "ol":
        return None
    labels: list[str] = []
    while True:
        numbers_clauses, level = list_level(item.getparent())
        labels.insert(0, label_of(item))
        # Level 2 of clauses includes the number of level 1.
        if level == 1 or (numbers_clauses and level == 2):
            return "".join(labels).rstrip(".")
        item = item.getparent().getparent()


def counted(form: str, number: int) -> str:
    """A number in a WordprocessingML format."""
    if number < 1 or form == "decimal":
        return str(number)
    if "Roman" in form:
        text = _roman(number)
    else:
        times, place = divmod(number - 1, len(letters := _ABJAD if form == "arabicAbjad" else _LATIN))
        text = letters[place] * (times + 1)
    return text.upper() if form.startswith("upper") else text


def _roman(number: int) -> str:
    if number > 3999:
        return str(number)
    text = ""
    for value, figure in _ROMAN:
        count, number = divmod(number, value)
        text += figure * count
    return text
