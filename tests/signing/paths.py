"""Paths for the tests of the signer's page."""


def end(owner, request, status, days=0):
    """End a request some days ago, as the worker or the time does it."""
    sealed = "document_file_id" if status == "completed" else "null"
    owner.execute(
        "update app.signature_requests set status = %s, ended_at = now() - make_interval(days => %s),"
        f" sealed_file_id = {sealed} where id = %s",
        [status, days, request["id"]],
    )


def code_in(message):
    """The six digits in an email."""
    words = message.get_body(["plain"]).get_content().split()
    return next(word for word in words if len(word) == 6 and word.isdecimal())
