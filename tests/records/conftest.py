import pytest

from tests.records.support import KINDS, make


@pytest.fixture
def deal(member):
    return make(member, "deals", title="Site licence")


@pytest.fixture
def definition(admin):
    return make(
        admin,
        "configurator-definitions",
        name="Server",
        slug="server",
        platform_keys=["linux", "windows"],
        feature_keys=["floating"],
        license_types=["perpetual", "subscription"],
    )


@pytest.fixture(params=KINDS)
def path(request):
    return f"/api/{request.param}"


@pytest.fixture
def body(path):
    return KINDS[path.removeprefix("/api/")]
