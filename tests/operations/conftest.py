import pytest

from tests.mail.mailserver import MailServer
from tests.operations.service import Service


@pytest.fixture
def service(tmp_path):
    """A Service whose database and queue run; web and worker are the test's to start."""
    with MailServer() as mail, Service(tmp_path, mail.url) as service:
        yield service
