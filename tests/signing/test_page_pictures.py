"""The page of a signer shows the pictures of its contract."""

from tests.contracts.support import image_file, upload
from tests.signing.conftest import beside


def test_the_page_shows_the_pictures_of_its_contract_alone(admin, anonymous, made, ask):
    one, other = (
        upload(admin, "/api/pictures", image_file("PNG"), f"{name}.png", "picture", status=201).json for name in "ab"
    )
    contract = made(f'<p>See <img data-picture="{one["id"]}" alt="The site"></p>')
    _request, paper = ask(1, path=f"/api/contracts/{contract['id']}/signature-requests")
    (image,) = paper.html.select(".contract img")
    assert (image["alt"], image["src"]) == ("The site", f"{beside(paper, 'picture')}?id={one['id']}")
    assert anonymous.app.get(image["src"], status=200).content_type == "image/png"
    for id in (other["id"], "x"):
        anonymous.app.get(f"{beside(paper, 'picture')}?id={id}", status=404)
