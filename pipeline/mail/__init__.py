"""Email texts, messages and SMTP; docs/mail.md describes failures."""

from pipeline.mail.outgoing import MAX_ATTACHMENT, TOKEN, check, queue
from pipeline.mail.quota import check_asked, count_email, spend_asked
from pipeline.mail.rendering import Letter
