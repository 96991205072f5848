"""Allowlists for Word and Excel files."""

import re
from urllib.parse import unquote

from .obstacles import LINKED, UNKNOWN_PART, Obstacle, words

# The last words of types, equal in all editions of the standard.
RELATIONS = frozenset(
    words(
        """
        officeDocument core-properties extended-properties custom-properties thumbnail origin signature certificate
        theme themeOverride image hdphoto hyperlink customXml customXmlProps classificationlabels printerSettings
        chart chartEx chartUserShapes chartStyle chartColorStyle diagramData diagramLayout diagramQuickStyle
        diagramColors diagramDrawing drawing vmlDrawing comments person people threadedComment

        styles stylesWithEffects settings webSettings fontTable font numbering header footer footnotes endnotes
        commentsExtended commentsIds commentsExtensible glossaryDocument

        worksheet chartsheet sharedStrings calcChain table tableSingleCells pivotTable pivotCacheDefinition
        pivotCacheRecords sheetMetadata slicer slicerCache timeline timelineCache rdRichValue rdRichValueStructure
        rdRichValueTypes richValueRel richStyles rdArray namedSheetView FeaturePropertyBag
        """
    )
)
REFUSED_RELATIONS = {
    "attachedTemplate": "a template that is loaded from elsewhere",
    **dict.fromkeys(("vbaProject", "vbaProjectSignature", "wordVbaData", "xlMacrosheet", "xlIntlMacrosheet"), "macros"),
    **dict.fromkeys(("keyMapCustomizations", "attachedToolbars", "dialogsheet"), "macros"),
    **dict.fromkeys(("oleObject", "package"), "an embedded object (OLE)"),
    **dict.fromkeys(("control", "activeXControlBinary", "ctrlProp"), "an ActiveX control"),
    **dict.fromkeys(("aFChunk", "subDocument", "frame"), "another document"),
    **dict.fromkeys(("externalLink", "externalLinkPath", "xlPathMissing"), "data of another workbook"),
    **dict.fromkeys(("connections", "queryTable", "mailMergeSource", "mailMergeHeaderSource"), "a data source"),
    **dict.fromkeys(("webextension", "webextensiontaskpanes", "taskpanes", "extensibility"), "an add-in"),
}

# {prefix: names}.
_TYPES = {
    "application/vnd.openxmlformats-officedocument.wordprocessingml.": """
        document.main+xml styles+xml settings+xml webSettings+xml fontTable+xml numbering+xml header+xml footer+xml
        footnotes+xml endnotes+xml comments+xml commentsExtended+xml commentsIds+xml commentsExtensible+xml people+xml
        document.glossary+xml printerSettings""",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.": """
        sheet.main+xml worksheet+xml chartsheet+xml styles+xml sharedStrings+xml calcChain+xml table+xml comments+xml
        tableSingleCells+xml pivotTable+xml pivotCacheDefinition+xml pivotCacheRecords+xml sheetMetadata+xml
        printerSettings""",
    "application/vnd.openxmlformats-officedocument.": """
        drawingml.chart+xml drawingml.chartshapes+xml drawingml.diagramData+xml drawingml.diagramLayout+xml
        drawingml.diagramStyle+xml drawingml.diagramColors+xml extended-properties+xml custom-properties+xml
        theme+xml themeOverride+xml customXmlProperties+xml drawing+xml vmlDrawing obfuscatedFont""",
    "application/vnd.openxmlformats-package.": """
        relationships+xml core-properties+xml digital-signature-origin digital-signature-certificate
        digital-signature-xmlsignature+xml""",
    "application/vnd.ms-word.": "stylesWithEffects+xml commentsExtensible+xml",
    "application/vnd.ms-excel.": """
        threadedcomments+xml person+xml slicer+xml slicerCache+xml timeline+xml timelineCache+xml rdrichvalue+xml
        rdrichvaluestructure+xml rdrichvaluetypes+xml richvaluerel+xml richstyles+xml rdarray+xml namedsheetviews+xml
        featurepropertybag+xml""",
    "application/vnd.ms-office.": """
        drawingml.diagramDrawing+xml chartstyle+xml chartcolorstyle+xml chartex+xml classificationlabels+xml""",
    "application/": "xml inkml+xml x-fontdata x-font-ttf",
    "text/": "xml",
    "font/": "ttf otf",
    "image/": "png x-png jpeg jpg gif bmp tiff webp svg+xml x-emf emf x-wmf wmf pict vnd.ms-photo",
}
CONTENT_TYPES = frozenset(f"{start}{name}".lower() for start, names in _TYPES.items() for name in words(names))
# The names of parts end so, below folders.
EXTENSIONS = frozenset(
    words(
        """
        xml rels vml bin dat odttf ttf otf fntdata sigs psdsxs psdsor psmdcp cer
        png jpeg jpg jpe jfif gif bmp dib tif tiff webp svg emf wmf emz wmz wdp hdp pict pct pcz ink
        """
    )
)
NO_NAME = re.compile(r'[\\:*?"<>|\x00-\x1f\x7f]')
REFUSED_TYPES = {
    "macro": "macros",
    "vba": "macros",
    "webextension": "an add-in",
    "oleobject": "an embedded object (OLE)",
    "activex": "an ActiveX control",
}

FIELDS = frozenset(
    words(
        """
        PAGE NUMPAGES SECTION SECTIONPAGES DATE TIME CREATEDATE SAVEDATE PRINTDATE EDITTIME AUTHOR TITLE SUBJECT
        KEYWORDS COMMENTS FILENAME FILESIZE DOCPROPERTY DOCVARIABLE INFO LASTSAVEDBY NUMCHARS NUMWORDS TEMPLATE REVNUM
        USERNAME USERINITIALS USERADDRESS REF PAGEREF NOTEREF STYLEREF TOC TC TOA TA XE INDEX SEQ LISTNUM AUTONUM
        AUTONUMLGL AUTONUMOUT HYPERLINK GOTOBUTTON FORMTEXT FORMCHECKBOX FORMDROPDOWN IF COMPARE SET ASK FILLIN QUOTE
        EQ SYMBOL ADVANCE SHAPE MERGEFIELD MERGEREC MERGESEQ NEXT NEXTIF SKIPIF ADDRESSBLOCK GREETINGLINE BIDIOUTLINE
        CITATION BIBLIOGRAPHY BARCODE MERGEBARCODE DISPLAYBARCODE AUTOTEXT AUTOTEXTLIST GLOSSARY PRIVATE ADDIN
        """
    )
)
REFUSED_FIELDS = {
    **dict.fromkeys(("DDE", "DDEAUTO"), "a field that starts a program (DDE)"),
    **dict.fromkeys(words("LINK IMPORT INCLUDE INCLUDETEXT INCLUDEPICTURE"), "a field that loads another file"),
    "MACROBUTTON": "macros",
    "EMBED": "an embedded object (OLE)",
    "CONTROL": "an ActiveX control",
    "RD": "another document",
    "DATABASE": "a data source",
}

LINK = re.compile(r"(?:https?:|mailto:|tel:|#|$)", re.I)
LINK_ELEMENTS = frozenset(words("hyperlink hlinkClick hlinkHover hlinkMouseOver"))
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.I)
# A template on the author's drive.
_LOCAL = re.compile(r"file:///[a-z]:((?:[\\/](?!\.{1,2}(?:[\\/]|$))[^\\/:*?\"<>|]+)+)", re.I)
ELSEWHERE = "content that is loaded from elsewhere"


def judge_relation(kind: str, target: str, external: bool) -> None:
    """Raises Obstacle for an active relationship; `kind` is the last word of its type."""
    if kind == "attachedTemplate" and external and _LOCAL.fullmatch(unquote(target)):
        return
    if kind not in RELATIONS:
        other = f"a relationship that a contract does not need ({kind[:40]})"
        raise Obstacle(REFUSED_RELATIONS.get(kind, other))
    if kind == "hyperlink" and (external or target.startswith("#")):
        if not LINK.match(target):
            raise Obstacle(LINKED)
    elif external or _SCHEME.match(target) or "\\" in target or target.startswith("//"):
        raise Obstacle(ELSEWHERE)


def judge_type(content_type: str) -> None:
    """Raises Obstacle for an unlisted content type."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind not in CONTENT_TYPES:
        known = (obstacle for sign, obstacle in REFUSED_TYPES.items() if sign in kind)
        raise Obstacle(next(known, f"a part that a contract does not need ({kind[:80]})"))


def judge_field(instruction: str, more_follows: bool = False) -> None:
    """Raises Obstacle for an active field; `more_follows`: a nested field continues it."""
    first = instruction.split(None, 1)[:1]
    if more_follows and (not first or instruction.strip() == first[0] and not instruction[-1:].isspace()):
        raise Obstacle("a field whose kind is made by another field")
    if not first or first[0].startswith("="):
        return
    kind = first[0].split("\\")[0].strip('"“”').upper()
    if kind not in FIELDS:
        raise Obstacle(REFUSED_FIELDS.get(kind, f"a field that a contract does not need ({kind[:40]})"))
    if kind == "HYPERLINK":
        _judge_link(instruction.strip()[len(first[0]) :], more_follows)


def _judge_link(arguments: str, more_follows: bool) -> None:
    r"""Checks a HYPERLINK's URL; `\l` precedes a place in the document."""
    parts = re.findall(r'["“”]([^"“”]*)["“”]?|(\S+)', arguments)
    place = False
    for quoted, bare in parts:
        if re.fullmatch(r"\\[a-z]", bare, re.IGNORECASE):
            place = bare.lower() in ("\\l", "\\o", "\\t", "\\s")
        elif place:
            place = False
        elif not LINK.match((quoted or bare).strip()):
            raise Obstacle(LINKED)
        else:
            return
    if more_follows and not parts:
        raise Obstacle("a link whose address is made by another field")


def judge_name(name: str) -> None:
    """Raises for a part's name that leads out of the file, or that Office does not write."""
    segments = unquote(name).removesuffix("/").split("/")
    if any(not segment.strip(". ") or NO_NAME.search(segment) for segment in segments):
        raise Obstacle(UNKNOWN_PART)
    if not name.endswith("/") and segments[-1].rpartition(".")[2].lower() not in EXTENSIONS:
        raise Obstacle(UNKNOWN_PART)
