"""The short form of `make fair`: a few attacks of a few seconds, beside other tests on the same cores.

So the aims for times are many times what comes out there, which is still below what a service without turns
takes. Nothing may fail: every request of the other organization is answered, its emails arrive, its owner gets in.
"""

import pytest

from tests.fair.attacks import SHORT
from tests.fair.experiment import AIMS, run
from tests.fair.http import descriptors
from tests.fair.watch import Watch
from tests.fair.world import World

# Long enough for an invite to be due: there is one every 3.3 seconds.
SECONDS = 4
# Seconds within which a service that is well answers here.
WELL = 3
WIDE = {**AIMS, "p99 of lists": WELL, "p99 of all else": WELL, "an email": 30, "well again": 30}


@pytest.mark.long
@pytest.mark.timeout(900)
def test_what_one_organization_does_takes_the_service_from_no_other(tmp_path):
    descriptors()
    with World(tmp_path, rows=5_000, seats=4, contracts=4) as world, Watch(world.bystander, WELL) as watch:
        assert run(world, watch, SHORT, SECONDS, WIDE) == []
