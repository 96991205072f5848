"""An interview by its pages alone, as a browser without JavaScript sends them."""

import pytest

from tests.forms.paper import Paper


@pytest.fixture
def invite(organization):
    return organization.invite()


def test_smoke(anonymous, invite):
    paper = Paper(anonymous.app, f"/forms/interview/{invite['token']}")
    print(paper.response.text)
    paper.fill(product_line="server", seats="25").press("next")
    print(paper.response.text)
    assert paper.state == "review"
