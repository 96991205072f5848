from tests.mail.conftest import mail_settings as mail_settings
from tests.mail.conftest import server as server
from tests.mail.conftest import worker as worker
