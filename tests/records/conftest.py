"""A deal with its references, and the kinds with batches."""

import pytest

from tests.records.support import KINDS, make


@pytest.fixture
def deal(member):
    """A deal's record."""
    return make(member, "deals", title="Site licence")


@pytest.fixture
def definition(admin):
    """A configurator definition's record."""
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
    """The path of each of KINDS."""
    return f"/api/{request.param}"


@pytest.fixture
def body(path):
    """A body of its kind."""
    return KINDS[path.removeprefix("/api/")]
