import pytest
from babel.localedata import locale_identifiers

from pipeline.interviews.templates.translations import translatable_texts
from tests.interviews.language import EVERY_TYPE, OPTIONS, question, violations, violations_of
from tests.support import TEMPLATE, codes, interview

GERMAN = {
    "name": "Qualifizierung",
    "pages.needs.title": "Was Sie brauchen",
    "questions.product_line.label": "Welches Produkt?",
    "questions.product_line.options.server": "Server für Ihr Haus",
    "questions.terms.label": "Ich stimme zu.",
    "thank_you.title": "Danke",
}
BODY = {
    **TEMPLATE,
    "pages": [{**TEMPLATE["pages"][0], "questions": ["product_line", "seats", "notes", "terms"]}],
    "questions": [*TEMPLATE["questions"], question("terms", "consent", label="I agree.")],
    "thank_you": {"title": "Thank you", "body": "We call."},
    "language": "en",
    "translations": {"de": GERMAN, "fr-CA": {"questions.terms.label": "J'accepte."}},
}
COMPLETE = {"answers": {"terms": True, "product_line": "server"}}


@pytest.fixture
def form(organization):
    """A public form in English, German and a little French."""
    return organization.public_form(**BODY)


@pytest.fixture
def invite(organization, form):
    return organization.invite(form)


def translated(translations, **fields):
    return violations_of(question("a", "single_choice", **fields), translations=translations)


def test_every_text_that_a_prospect_reads_can_be_translated():
    paths = {place.path: f"other {place.path}"[:20] for place in translatable_texts({"name": "A", **EVERY_TYPE})}
    assert len(paths) > 30
    assert violations({**EVERY_TYPE, "translations": {"de": paths}}) == {}


@pytest.mark.parametrize(
    ("path", "text", "code"),
    [
        ("questions.b.label", "x", "unknown_text"),
        ("questions.a.help", "x", "unknown_text"),
        ("questions.a.options.none", "x", "unknown_text"),
        ("thank_you.redirect_url", "x", "unknown_text"),
        ("__proto__", "x", "unknown_text"),
        ("questions.a.label", "x" * 1001, "too_long"),
        ("questions.a.options.cloud", "x\ny", "invalid_characters"),
        ("questions.a.label", {}, "wrong_type"),
    ],
)
def test_a_translation_names_a_text_that_is_there_and_may_stand_in_its_place(path, text, code):
    assert translated({"de": {path: text}}) == {f"translations.de.{path}": code}


@pytest.mark.parametrize("language", ["", "x-", "german", "de DE", " de", "<b>", "zz"])
def test_a_translation_is_into_a_language(language):
    assert translated({language: {}}) == {f"translations.{language}": "unknown_locale"}


def test_there_are_at_most_twenty_languages():
    languages = sorted(name for name in locale_identifiers() if len(name) == 2)[:21]
    assert translated(dict.fromkeys(languages, {})) == {"translations": "too_long"}


def test_option_values_may_hold_points():
    options = [{"value": "v1.2", "label": "Old"}, *OPTIONS]
    assert translated({"de": {"questions.a.options.v1.2": "Alt"}}, options=options) == {}


@pytest.mark.parametrize("language", ["en", "EN", "de_AT"])
def test_a_template_is_not_translated_twice_nor_into_its_own_language(language, admin):
    answer = admin.post("/api/interview-templates", {**BODY, "translations": {"de-AT": {}, language: {}}}, status=422)
    assert codes(answer) == [(f"translations.{language}", "duplicate_key")]


def test_the_language_is_the_organizations_unless_it_is_given(admin, owner, organization):
    owner.execute("update app.organizations set locale = 'de-CH' where id = %s", [organization.id])
    record = admin.post("/api/interview-templates", TEMPLATE, status=201).json
    assert (record["language"], record["translations"]) == ("de-CH", {})
    twice = {**BODY, "language": None, "translations": {"de-CH": {}}}
    answer = admin.post("/api/interview-templates", twice, status=422)
    assert ("translations.de-CH", "duplicate_key") in codes(answer)


def test_a_form_is_shown_in_a_language_and_what_that_lacks_in_its_own(invite, anonymous):
    form = anonymous.get(interview(invite) + "?lang=de", status=200).json["template"]
    assert (form["language"], form["languages"]) == ("de", ["en", "de", "fr-CA"])
    product, seats = form["questions"][:2]
    assert [option["label"] for option in product["options"]] == ["Server für Ihr Haus", "Desktop"]
    assert (form["name"], seats["label"]) == ("Qualifizierung", "How many seats?")
    assert form["thank_you"] == {"title": "Danke", "body": "We call."}
    assert "translations" not in form


@pytest.mark.parametrize(
    ("invited", "query", "accepted", "language"),
    [
        (None, "", "", "en"),
        (None, "", "it, de;q=0.5, fr;q=0.9", "fr-CA"),
        (None, "", "de;q=0, *", "en"),
        (None, "", "DE-at", "de"),
        ("de", "", "fr", "de"),
        ("de", "?lang=fr", "en", "fr-CA"),
        ("de", "?lang=fr&lang=en&utm_source=x", "", "de"),
        (None, "?lang=%3Cb%3E", "", "en"),
    ],
)
def test_the_link_goes_before_the_invite_and_the_invite_before_the_browser(
    invited, query, accepted, language, organization, form, anonymous
):
    path = interview(organization.invite(form, language=invited)) + query
    headers = {"Accept-Language": accepted} if accepted else {}
    assert anonymous.get(path, headers=headers, status=200).json["template"]["language"] == language


def test_an_invite_is_in_a_language_of_its_template_and_those_of_anothers_are_not_told(
    organization, form, new_organization
):
    other = new_organization().template(**BODY)
    for template, violation in ((form, ("language", "invalid_choice")), (other, ("template_id", "unknown_reference"))):
        body = {"template_id": template["id"], "recipient_email": "a@b.example", "language": "it"}
        assert codes(organization.member.post("/api/interview-invites", body, status=422)) == [violation]
    assert organization.invite(form, language="fr-CA")["language"] == "fr-CA"
