import pytest

from tests.interviews.language import question, violations_of

ORIGIN, OTHER = "https://www.partner.example", "https://shop.partner.example:8443"


def framers(response):
    policy = response.headers["Content-Security-Policy"].split("; ")
    (directive,) = [part for part in policy if part.startswith("frame-ancestors")]
    return directive.removeprefix("frame-ancestors ")


@pytest.fixture
def embedded(organization):
    return organization.public_form(embed_origins=[ORIGIN, OTHER])


WRONG = (
    "https://partner.example:65536 http://www.partner.example https://www.partner.example/ https://*.partner.example * "
    "'self' https://user@partner.example https://Partner.example https://bücher.example https://localhost "
    "https://127.0.0.1"
)
SEVERAL = ["https://partner.example https://evil.example", "https://partner.example; script-src *"]


@pytest.mark.parametrize("origin", [*WRONG.split(), *SEVERAL])
def test_an_origin_is_https_a_host_and_perhaps_a_port(origin):
    assert violations_of(question("a"), embed_origins=[origin]) == {"embed_origins.0": "invalid_format"}


def test_there_are_at_most_twenty_origins_each_named_once():
    many = [f"https://a{number}.example" for number in range(21)]
    for origins, codes in ((many, ["too_long"]), ([ORIGIN, ORIGIN], ["repeated"]), ([ORIGIN, OTHER], [])):
        assert list(violations_of(question("a"), embed_origins=origins).values()) == codes


def test_every_page_of_the_form_may_stand_in_the_frames_of_its_origins(embedded, organization, visit):
    for page in (visit(embedded), visit(organization.invite(embedded))):
        assert framers(page.response) == f"{ORIGIN} {OTHER}"
        assert framers(page.press(status=422).response) == f"{ORIGIN} {OTHER}"
        assert framers(page.fill(product_line="server").press().press("submit").response) == f"{ORIGIN} {OTHER}"
    late = organization.invite(embedded)
    organization.expire_by_time(late)
    assert framers(visit(late).response) == f"{ORIGIN} {OTHER}"


def test_no_other_page_stands_in_a_frame(embedded, organization, new_organization, anonymous):
    other = organization.template(slug="other", lead_capture_enabled=True, public_slug=f"{organization.name}-other")
    anonymous.app.get(f"/forms/capture/{embedded['public_slug']}")
    for address in (
        f"capture/{other['public_slug']}",
        f"capture/{new_organization().public_form()['public_slug']}",
        f"capture/{embedded['public_slug']}-2",
        f"interview/{organization.invite(other)['token']}",
        "interview/" + "0" * 64,
        "forgot",
        "activate/" + "0" * 64,
        "answers/x",
        "elsewhere",
    ):
        assert framers(anonymous.app.get(f"/forms/{address}", status="*")) == "'none'", address


def test_an_origin_that_is_taken_off_frames_the_public_form_no_longer(embedded, organization, anonymous):
    path = f"/forms/capture/{embedded['public_slug']}"
    anonymous.app.get(path)
    organization.admin.patch(f"/api/interview-templates/{embedded['id']}", {"embed_origins": [OTHER]}, status=200)
    assert framers(anonymous.app.get(path)) == OTHER
    organization.admin.patch(f"/api/interview-templates/{embedded['id']}", {"lead_capture_enabled": False}, status=200)
    assert framers(anonymous.app.get(path, status=404)) == "'none'"
