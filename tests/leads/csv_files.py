import csv
import io

HEADER = "first_name,last_name,email,phone,company,job_title,source,status,notes,tags,assigned_to,external_id"
BOUNDARY = "a-boundary-of-the-tests"
FORM = f"multipart/form-data; boundary={BOUNDARY}"


def multipart(content, field="file", filename="leads.csv"):
    head = (
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"; filename="{filename}"\r\n'
        "Content-Type: text/csv\r\n\r\n"
    )
    return head.encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()


def everything(report):
    """The numbers of rows by result; they add up to the total."""
    return [report[name] for name in ("imported", "updated", "unchanged", "skipped", "conflicts", "failed")]


def send(api, content, query="", status=None, content_type=FORM, field="file"):
    content = content.encode() if isinstance(content, str) else content
    form, headers = multipart(content, field), {"Content-Type": content_type}
    return api.request("POST", f"/api/leads/import{query}", raw=form, headers=headers, status=status)


def imported(api, content, query=""):
    return send(api, content, query, status=200).json


def table(rows, columns, dialect="excel"):
    file = io.StringIO()
    writer = csv.DictWriter(file, columns, dialect=dialect)
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def exported(api, query=""):
    answer = api.get(f"/api/leads/export{query}", status=200)
    return list(csv.DictReader(io.StringIO(answer.body.decode("utf-8-sig"), newline="")))


def counts(report):
    return tuple(report[name] for name in ("imported", "updated", "skipped", "failed"))


def results(report, *names):
    """The results of rows, as (row, result) or with further members."""
    return [tuple(row[name] for name in ("row", "result", *names)) for row in report["rows"]]


def stored(organization, columns="first_name, last_name, email"):
    query = f"select {columns} from app.leads where organization_id = %s order by id"
    return organization.owner.execute(query, (organization.id,)).fetchall()
