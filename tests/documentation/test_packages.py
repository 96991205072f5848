import pytest
from pyramid.config import Configurator
from webtest import TestApp

from pipeline.api.documentation import packages

WHEEL, TARBALL = (name for name, _ in packages.FILES.values())
ALL = {WHEEL: f"/docs/clients/{WHEEL}", TARBALL: f"/docs/clients/{TARBALL}"}


@pytest.fixture
def site(monkeypatch, tmp_path):
    """site(*names): the documentation of a service with these packages."""
    monkeypatch.setattr(packages, "FOLDER", tmp_path)

    def make(*names):
        for name in names:
            (tmp_path / name).write_bytes(name.encode())
        config = Configurator()
        config.include("pipeline.api.documentation")
        return TestApp(config.make_wsgi_app())

    return make


def offered(site, path):
    """{text: address} of the downloads of a page."""
    return {link.text: link["href"] for link in site.get(path).html.select("main a[download]")}


def test_the_start_page_offers_all_packages_and_each_clients_page_its_own(site):
    served = site(WHEEL, TARBALL)
    assert offered(served, "/docs") == ALL
    assert offered(served, "/docs/python") == {WHEEL: ALL[WHEEL]}
    assert offered(served, "/docs/typescript") == {TARBALL: ALL[TARBALL]}
    assert offered(served, "/docs/limits") == {}
    assert packages.VERSION in served.get("/docs").html.select_one(".packages").text


@pytest.mark.parametrize(("name", "media_type"), packages.FILES.values())
def test_a_package_is_downloaded_as_it_was_built(site, name, media_type):
    answer = site(WHEEL, TARBALL).get(ALL[name], headers={"Accept-Encoding": "gzip"})
    assert (answer.body, answer.content_type) == (name.encode(), media_type)
    assert "Content-Encoding" not in answer.headers


def test_a_service_without_packages_of_its_version_offers_none(site):
    served = site("pipeline_client-9.9.9-py3-none-any.whl")
    assert offered(served, "/docs") == offered(served, "/docs/python") == {}
    served.get(ALL[WHEEL], status=404)
