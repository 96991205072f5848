"""Mail: texts, messages, and their way through SMTP.

`mail.queue(…)` writes a Letter and the event that sends it into the current transaction; `tasks.py` sends it.
docs/mail.md tells what happens when something breaks on the way.
"""

from pipeline.mail.outgoing import TOKEN as TOKEN
from pipeline.mail.outgoing import check as check
from pipeline.mail.outgoing import queue as queue
from pipeline.mail.quota import check_asked as check_asked
from pipeline.mail.quota import spend as spend
from pipeline.mail.quota import spend_asked as spend_asked
from pipeline.mail.rendering import Letter as Letter
