"""Email texts, messages and SMTP; docs/mail.md describes failures."""

from pipeline.mail.outgoing import TOKEN as TOKEN
from pipeline.mail.outgoing import check as check
from pipeline.mail.outgoing import queue as queue
from pipeline.mail.quota import check_asked as check_asked
from pipeline.mail.quota import count_email as count_email
from pipeline.mail.quota import spend_asked as spend_asked
from pipeline.mail.rendering import Letter as Letter
