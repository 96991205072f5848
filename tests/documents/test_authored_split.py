"""Tags that Word splits over runs, in 200 files of every kind of splitting."""

import copy
import io
import random

import pytest
from docx import Document as Word
from lxml import etree

from development.linters import validate
from pipeline.contracts import merge
from pipeline.contracts.merge.catalogue import SAMPLES
from tests.contracts.word_files import W, packed, word_file, word_text
from tests.documents.test_authored import FILES, filled, form, parts, read

SOURCE = "From {{Licensee.name | upper}}: {{#if Deal.id > 5}}{{Deal.id}}, {{/if}}{{Quote.total | currency}}."
TIMES = 200
MAIN = "word/document.xml"
# What Word writes around a run, and between runs.
AROUND = (
    "{run}",
    "<w:hyperlink w:anchor='top' w:history='1'>{run}</w:hyperlink>",
    "<w:smartTag w:uri='urn:x' w:element='place'>{run}</w:smartTag>",
    "<w:sdt><w:sdtPr><w:alias w:val='a'/></w:sdtPr><w:sdtContent>{run}</w:sdtContent></w:sdt>",
    "<w:fldSimple w:instr=' DOCPROPERTY x '>{run}</w:fldSimple>",
)
BETWEEN = (
    "",
    "<w:proofErr w:type='spellStart'/>",
    "<w:proofErr w:type='gramEnd'/>",
    "<w:bookmarkStart w:id='{id}' w:name='b{id}'/><w:bookmarkEnd w:id='{id}'/>",
    "<w:r><w:lastRenderedPageBreak/></w:r>",
    "<w:permStart w:id='{id}' w:edGrp='everyone'/><w:permEnd w:id='{id}'/>",
)
FORMATS = ("", "<w:rPr><w:b/><w:lang w:val='en-GB'/></w:rPr>", "<w:rPr><w:i/><w:color w:val='FF0000'/></w:rPr>")


def split(number):
    """A Word file whose tags are split by chance."""
    chance = random.Random(number)
    cuts = sorted(chance.sample(range(1, len(SOURCE)), chance.randrange(1, len(SOURCE) - 1)))
    pieces = [SOURCE[start:end] for start, end in zip([0, *cuts], [*cuts, None], strict=True)]
    xml = "".join(piece_of(text, place + 100 * number, chance) for place, text in enumerate(pieces))
    document = Word()
    space = W.strip("{}")
    paragraph = etree.fromstring(f"<w:p xmlns:w='{space}'><w:pPr><w:keepNext/></w:pPr>{xml}</w:p>")
    document.element.body.insert(0, paragraph)
    return packed(document)


def piece_of(text, id, chance):
    rsid = f"{chance.randrange(1 << 32):08X}"
    space = " xml:space='preserve'" if text != text.strip() else ""
    run = f"<w:r w:rsidR='{rsid}'>{chance.choice(FORMATS)}<w:t{space}>{text}</w:t></w:r>"
    return chance.choice(BETWEEN).format(id=id) + chance.choice(AROUND).format(run=run)


@pytest.fixture(scope="module")
def made():
    """[(a file, the file with values)]"""
    files = [split(number) for number in range(TIMES)]
    return [(file, filled(file, merge.resolve(read(file), {}, SAMPLES).content)) for file in files]


@pytest.fixture(scope="module")
def expected():
    whole = word_file(SOURCE)
    return word_text(filled(whole, merge.resolve(read(whole), {}, SAMPLES).content))


def test_a_split_tag_has_the_value_of_a_whole_one_and_all_else_stays(made, expected):
    assert len({file for file, _filled in made}) == TIMES
    for file, result in made:
        assert word_text(result) == expected
        assert form(parts(result)[MAIN]) == form(parts(file)[MAIN])
        assert {name: part for name, part in parts(result).items() if name != MAIN} == {
            name: part for name, part in parts(file).items() if name != MAIN
        }


def faults(content, tmp_path):
    """What the Open XML SDK finds in a Word file's bytes."""
    file = tmp_path / "contract.docx"
    file.write_bytes(content)
    return {*validate(file)}


def together(files):
    """One Word file with the paragraphs of all, because a validator's start takes a second."""
    first, *others = (Word(io.BytesIO(file)) for file in files)
    for other in others:
        first.element.body.insert(0, copy.deepcopy(other.element.body[0]))
    assert len(first.paragraphs) == TIMES
    return packed(first)


def test_the_files_with_values_hold_to_the_schemas_as_those_without(made, tmp_path):
    before, after = (faults(together(files), tmp_path) for files in zip(*made, strict=True))
    # The SDK knows no smart tags.
    assert (len(before), after) == (1, before)


@pytest.mark.parametrize("name", FILES)
def test_filling_adds_no_fault_to_those_of_the_author_s_program(name, tmp_path):
    source = FILES[name]
    result = filled(source, merge.resolve(read(source), {}, SAMPLES).content)
    assert faults(result, tmp_path) <= faults(source, tmp_path)
