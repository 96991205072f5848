"""The certificate of the seals."""

import dataclasses

import pytest

from pipeline.signing import sealing


@pytest.fixture(autouse=True)
def sealing_settings(settings):
    """A function that changes settings of the seal for one test."""
    sealing.configure(settings)
    yield lambda **changes: sealing.configure(dataclasses.replace(settings, **changes))
    sealing.configure(settings)
