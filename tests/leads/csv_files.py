"""CSV files for imports, and from exports, through the API."""

import csv
import io

IMPORT = "/api/leads/import"
HEADER = "first_name,last_name,email,phone,company,job_title,source,status,notes,tags,assigned_to,external_id"
BOUNDARY = "a-boundary-of-the-tests"
FORM = f"multipart/form-data; boundary={BOUNDARY}"


def multipart(content, field="file", filename="leads.csv"):
    """The body of a form with one file."""
    head = (
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"; filename="{filename}"\r\n'
        "Content-Type: text/csv\r\n\r\n"
    )
    return head.encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()


def send(api, content, query="", status=None, content_type=FORM, field="file"):
    """The response to an import of a file (bytes, or text in UTF-8)."""
    content = content.encode() if isinstance(content, str) else content
    headers = {"Content-Type": content_type}
    return api.request("POST", IMPORT + query, raw=multipart(content, field), headers=headers, status=status)


def imported(api, content, query=""):
    """The report of an import that must succeed."""
    return send(api, content, query, status=200).json


def table(rows, columns, dialect="excel"):
    """A CSV file of rows (dicts) as text."""
    file = io.StringIO()
    writer = csv.DictWriter(file, columns, dialect=dialect)
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def exported(api, query=""):
    """The rows (dicts) of an export."""
    answer = api.get(f"/api/leads/export{query}", status=200)
    return list(csv.DictReader(io.StringIO(answer.body.decode("utf-8-sig"), newline="")))


def counts(report):
    """(imported, updated, skipped, failed)."""
    return tuple(report[name] for name in ("imported", "updated", "skipped", "failed"))


def stored(organization, columns="first_name, last_name, email"):
    """The organization's leads as tuples, in the order of their ids."""
    query = f"select {columns} from app.leads where organization_id = %s order by id"
    return organization.owner.execute(query, (organization.id,)).fetchall()
