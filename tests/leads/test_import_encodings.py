"""Files that Excel saves in the encoding of its country, with the delimiter of that country."""

import pytest

from tests.leads.csv_files import imported, send, stored
from tests.support import codes

# {encoding: (its word, headers, rows)}.
COUNTRIES = {
    "gbk": ("gb18030", "姓名,公司,电话", ("李小龙,北京科技有限公司,010 1234", "王芳,上海贸易公司,021 1234")),
    "gb18030": ("gb18030", "联系人;单位;手机", ("张伟;广州汽车;138 0000", "欧阳娜娜;深圳电子;139 0000")),
    "big5": ("cp950", "聯絡人,公司名稱,電話", ("陳大文,台灣電子股份有限公司,02 1234", "林美玲,高雄貿易,07 1234")),
    "shift_jis": ("cp932", "氏名,会社名,電話", ("山田太郎,アクメ株式会社,03 1234", "佐藤花子,さくら商事,06 1234")),
    "euc_kr": ("cp949", "이름,회사,전화", ("김철수,삼성전자,02 1234", "박영희,현대자동차,051 1234")),
    "cp1250": ("cp1250", "Jméno;Firma;Telefon", ("Řehoř Dvořák;Škoda;2 1234", "Zdeněk Černý;Žatec;3 1234")),
    "cp1251": ("cp1251", "Имя;Компания;Телефон", ("Иван Петров;Ромашка;495 1234", "Мария Сидорова;Берёза;812 1234")),
    "cp1253": ("cp1253", "Όνομα;Εταιρεία;Τηλέφωνο", ("Γιώργος Παππάς;Άλφα ΑΕ;21 1234", "ΜΑΡΙΑ ΙΩΑΝΝΟΥ;ΒΗΤΑ;231 1234")),
    "cp1254": ("cp1254", "Ad Soyad;Şirket;Telefon", ("Ayşe Yılmaz;Işık A.Ş.;212 1234", "Ömer Çelik;Güneş;216 1234")),
    "cp1255": ("cp1255", "שם,חברה,טלפון", ("דוד כהן,טבע,03 1234", "שרה לוי,אסם,02 1234")),
    "cp1256": ("cp1256", "الاسم;الشركة;الهاتف", ("أحمد الخالد;شركة النور;05 1234", "مريم حسن;الأمل;06 1234")),
    "mac_roman": ("macroman", "Prénom;Société;Téléphone", ("Hélène;Crêperie;01 1234", "François;Hôtel Élysée;02 1234")),
}
ALIKE = [(codec, sign) for codec in COUNTRIES for sign in ",;\t"]


def file(codec, sign, header=None):
    _word, own, rows = COUNTRIES[codec]
    lines = [header or own, *rows]
    return "\r\n".join(line.replace(";", ",").replace(",", sign) for line in lines).encode(codec)


@pytest.mark.parametrize(("codec", "sign"), ALIKE)
def test_a_file_of_each_country_is_read_without_and_with_the_name_of_its_encoding(organization, member, codec, sign):
    word, _header, rows = COUNTRIES[codec]
    for query in ("", f"?encoding={word}&on_duplicate=update"):
        report = imported(member, file(codec, sign), query)
        assert (report["encoding"], report["warnings"], report["ignored_columns"]) == (word, [], [])
    companies = [row.replace(";", ",").split(",")[1] for row in rows]
    assert stored(organization, "company") == [(company,) for company in companies]


@pytest.mark.parametrize("codec", COUNTRIES)
def test_the_letters_of_names_tell_the_encoding_below_english_headers(organization, member, codec):
    assert imported(member, file(codec, ";", "Name;Company;Phone"))["encoding"] == COUNTRIES[codec][0]
    assert stored(organization, "company")[0][0] in COUNTRIES[codec][2][0]


# Names from the lists of given and family names of each country.
NAMES = [
    ("cp1250", "Emil Stănescu, Ionică Tabără"),
    ("cp1250", "Szőke Tóth Tünde, Fűrész Ödön"),
    ("cp1250", "Petrović Živko, Lučić Šime"),
    ("cp1250", "Łukasz Gałązka, Wróbel Małgorzata"),
    ("cp1252", "Simões João, Conceição Inês"),
    ("cp1252", "Bjørn Sørensen, Åse Bræk"),
    ("cp1252", "Núñez Muñoz, Peña Íñigo"),
    ("cp1252", "Þór Guðmundsson, Æsa Jónsdóttir"),
    ("cp1251", "Олена Шевченко, Юрій Ткачук"),
    ("cp1251", "Йордан Щерев, Люба Ганчева"),
    ("cp1253", "ΓΙΩΡΓΟΣ ΠΑΠΑΔΟΠΟΥΛΟΣ, ΕΛΕΝΗ ΝΙΚΟΛΑΟΥ"),
    ("cp1255", "משה ברק, רחל אבידן"),
    ("cp949", "최민준, 이서연"),
    ("gb18030", "刘洋, 陈静, 赵敏, 周杰"),
    ("cp950", "黃志明, 吳淑芬"),
    ("cp932", "高橋一郎, 鈴木さくら"),
]


@pytest.mark.parametrize(("codec", "names"), NAMES)
def test_few_names_tell_the_encoding_of_a_file(organization, member, codec, names):
    text = "Company\n" + names.replace(", ", "\n")
    assert imported(member, text.encode(codec))["encoding"] == codec
    assert stored(organization, "company") == [(name,) for name in names.split(", ")]


@pytest.mark.parametrize(
    ("text", "codec", "read", "other", "meant"),
    [
        ("Name\nHrdlička\n", "cp1250", "Hrdlièka", "cp1250", "Hrdlička"),
        ("Name\nBranko Kaučič\n", "cp1250", "Kauèiè", "cp1250", "Kaučič"),
        ("Name\nMirošov\n", "cp1250", "Miroöov", "cp1250", "Mirošov"),
        ("Name\nMeža\n", "cp1250", "Meûa", "cp1250", "Meža"),
        ("Name\nAraújo\n", "mac_roman", "Araœjo", "macroman", "Araújo"),
        ("Name\nRègle\n", "cp1252", "Règle", "cp1250", "Rčgle"),
        ("Name\nMøller\n", "cp1252", "Møller", "cp1250", "Mřller"),
        ("Name\nJosè\n", "cp1252", "Josè", "cp1250", "Josč"),
        ("Name\nVardas Žalgirė\nŪkis\n", "cp1257", None, None, None),
        ("ชื่อ;Name\nสมชาย;Som\nสมหญิง;Chai\n", "cp874", None, None, None),
        ("Name\nИван Петров\n", "koi8_r", None, None, None),
    ],
)
def test_a_guess_that_may_be_wrong_is_told_with_what_else_it_would_be(member, text, codec, read, other, meant):
    warning, *_others = imported(member, text.encode(codec))["warnings"]
    assert warning["code"] == "doubtful_encoding"
    if read:
        assert (warning["value"], f"encoding={other}" in warning["message"]) == (read, True)
        assert f"“{meant}”" in warning["message"]


@pytest.mark.parametrize("named", ["cp1252", "cp1251", "macroman", "gb18030"])
def test_a_named_encoding_is_doubted_if_the_file_is_utf_8(member, named):
    (warning,) = imported(member, "Name\nZoë Müller\n", f"?encoding={named}")["warnings"]
    assert (warning["code"], "“Zoë Müller”" in warning["message"]) == ("doubtful_encoding", True)
    assert "encoding=utf-8" in warning["message"]


@pytest.mark.parametrize("text", ["Jürgen Müller;Größe", "Jörg Weiß;Bäckerei Süß"])
def test_a_file_that_no_encoding_fits_is_refused_with_the_cure(organization, member, text):
    refused = send(member, f"Name;Firma\n{text}\n".encode("cp850"), status=422)
    assert (codes(refused), "encoding" in refused.json["detail"]) == ([("file", "unsupported_encoding")], True)
    assert stored(organization) == []
