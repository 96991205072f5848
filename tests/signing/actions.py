"""Actions on a signer's page, and around it."""

from urllib.parse import urlencode


def beside(paper, name):
    """The path of a file of the page's link."""
    return f"/sign/{name}/{paper.path.split('/')[2].partition('?')[0]}"


def agree(paper, **typed):
    """Fill in the form of a page and send it."""
    consent = paper.html.select_one("[name=consent]")["value"]
    return paper.fill(signature="Pat Prospect", consent=[consent], **typed).press("sign")


def send(paper, go, **fields):
    """Send the form of a button, whether the page has it or not."""
    paper.response = paper.app.post(paper.path, urlencode({**fields, "_go": go}), headers=paper.headers, status="*")
    return paper.open(paper.response.headers["Location"]) if paper.response.status_int == 303 else paper


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
