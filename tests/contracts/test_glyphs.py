"""Characters without a font are listed when a template is saved and with each contract."""

from structlog.testing import capture_logs

from pipeline.contracts.glyphs import MAX_GLYPHS, missing_glyphs
from tests.contracts.test_templates import PATH

# Of a private area, which fonts leave alone.
PRIVATE = "\U0010fffd"


def test_a_template_names_what_no_font_prints_and_where_it_first_stands(admin, new_template):
    template = new_template(content=f"<p>a</p><p>b {PRIVATE}</p><p>{PRIVATE}</p>", footer_left="\U0010fffc")
    assert template["missing_glyphs"] == [
        {"character": PRIVATE, "name": "U+10FFFD", "where": "paragraph 2"},
        {"character": "\U0010fffc", "name": "U+10FFFC", "where": "footer_left"},
    ]
    mended = admin.put(f"{PATH}/{template['id']}", {"content": "<p>a</p>", "footer_left": None}, status=200).json
    assert mended["missing_glyphs"] == []


def test_a_contract_and_its_list_name_them_and_the_log_does(admin, new_template, new_contract):
    template = new_template(content="<h1>{{Contract.number}}</h1><p>{{Contract.name}}</p>")
    with capture_logs() as lines:
        made = new_contract(template_id=template["id"], name=f"Deal {PRIVATE}")
    assert made["missing_glyphs"] == [{"character": PRIVATE, "name": "U+10FFFD", "where": "paragraph 2"}]
    assert admin.get("/api/contracts", status=200).json["data"][0]["missing_glyphs"] == made["missing_glyphs"]
    (line,) = [line for line in lines if line["event"] == "missing_glyphs"]
    assert (line["characters"], line["contract_number"]) == (["U+10FFFD"], made["contract_number"])


def test_the_scripts_of_every_installation_print():
    texts = ("Łódź e\u0308 ẞ αβγ Жя", "العقد חוזה", "สัญญา अनुबंध", "契約 계약 けいやく", "€₿ ✓\ufe0f\u200d\xad")
    assert [missing_glyphs(f"<p>{text}</p>", {"header_left": text}) for text in texts] == [[]] * len(texts)


def test_a_text_of_many_such_characters_names_the_first_hundred():
    text = "".join(chr(0x10FF00 + number) for number in range(150))
    assert len(missing_glyphs(f"<p>{text}</p>", {})) == MAX_GLYPHS
