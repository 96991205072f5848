"""Characters without a font are listed when a template is saved and with each contract."""

import pytest
from structlog.testing import capture_logs

from pipeline.contracts.glyphs import MAX_GLYPHS, missing_glyphs
from tests.contracts.test_templates import PATH

# Of a private area, which fonts leave alone.
PRIVATE = "\U0010fffd"


def test_a_template_names_what_no_font_prints_and_where_it_first_stands(new_template):
    template = new_template(content=f"<p>a</p><p>b {PRIVATE}</p><p>{PRIVATE}</p>", footer_left="\U0010fffc")
    assert template["missing_glyphs"] == [
        {"character": PRIVATE, "name": "U+10FFFD", "where": "paragraph 2"},
        {"character": "\U0010fffc", "name": "U+10FFFC", "where": "footer_left"},
    ]


def test_a_change_that_mends_it_takes_the_note_away(admin, new_template):
    template = new_template(content=f"<p>{PRIVATE}</p>")
    path = f"{PATH}/{template['id']}"
    assert admin.put(path, {"content": "<p>a</p>"}, status=200).json["missing_glyphs"] == []
    assert admin.put(path, {"header_left": PRIVATE}, status=200).json["missing_glyphs"][0]["where"] == "header_left"


def test_a_contract_and_its_list_name_them_and_the_log_does(admin, new_template, new_contract):
    template = new_template(content="<h1>{{Contract.number}}</h1><p>{{Contract.name}}</p>")
    with capture_logs() as lines:
        made = new_contract(template_id=template["id"], name=f"Deal {PRIVATE}")
    assert made["missing_glyphs"] == [{"character": PRIVATE, "name": "U+10FFFD", "where": "paragraph 2"}]
    assert admin.get("/api/contracts", status=200).json["data"][0]["missing_glyphs"] == made["missing_glyphs"]
    (line,) = [line for line in lines if line["event"] == "missing_glyphs"]
    assert (line["characters"], line["contract_number"]) == (["U+10FFFD"], made["contract_number"])


@pytest.mark.parametrize(
    "text",
    [
        "Łódź e\u0308 ẞ",
        "αβγ",
        "Жя",
        "العقد",
        "חוזה",
        "สัญญา",
        "अनुबंध",
        "契約",
        "계약",
        "けいやく",
        "€₿ ✓\ufe0f\u200d\xad",
    ],
)
def test_the_scripts_of_every_installation_print(text):
    assert missing_glyphs(f"<p>{text}</p>", {"header_left": text}) == []


def test_a_text_of_many_such_characters_names_the_first_hundred():
    text = "".join(chr(0x10FF00 + number) for number in range(150))
    assert len(missing_glyphs(f"<p>{text}</p>", {})) == MAX_GLYPHS
