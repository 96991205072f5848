"""A deal with what it refers to."""

import pytest

from tests.records.support import make


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
