import io
import re
import struct
import zipfile
import zlib
from pathlib import Path

from PIL import Image

from tests.leads.csv_files import FORM, multipart

TEMPLATE = {
    "name": "License agreement",
    "content": "<h1>{{Contract.number}}</h1><p>{{Licensee.name}} licenses {{Deal.title}}.</p>",
}
DOCX_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument'
    '.wordprocessingml.document.main+xml"/></Types>'
)
COMPANY = {
    "name": "Café Soft",
    "legal_name": "Café Soft SARL",
    "street": "5 rue de la Paix",
    "city": "Lyon",
    "postal_code": "69001",
    "country": "FR",
    "email": "bonjour@cafesoft.example",
}
LINES = [
    {
        "sku": "S",
        "description": "Seat",
        "quantity": 3,
        "unit_price_minor": 33_333,
        "discount_basis_points": 1250,
        "tax_basis_points": 750,
    },
    {"sku": "HELP", "description": "Support", "quantity": 1, "unit_price_minor": 50_000},
]


def deal(organization, **changes):
    """The id of a deal with company, contact, stage and owner."""
    company = organization.insert("companies", **COMPANY)
    contact = organization.insert(
        "contacts", first_name="Hélène", last_name="Dubois", job_title="CTO", company_id=company
    )
    values = {
        "title": "Floating seats",
        "value_minor": 1_234_567,
        "currency": "EUR",
        "company_id": company,
        "contact_id": contact,
        "stage_id": organization.insert("deal_stages", name="Proposal"),
        "owner_id": organization.users["member"],
        "product_line": "license-server",
        "expected_close_date": "2026-03-31",
        **changes,
    }
    return organization.insert("deals", **values)


def quote(organization, deal_id, number, **values):
    """The id of a quote of a deal, with two lines."""
    id = organization.insert("quotes", deal_id=deal_id, quote_number=number, currency="EUR", **values)
    for position, line in enumerate(LINES):
        organization.insert("quote_lines", quote_id=id, position=position, **line)
    return id


def path_of(contract):
    return f"/api/contracts/{contract['id']}"


def deletion_of_history():
    """The statement by which operators delete replaced executed copies."""
    guide = Path(__file__).resolve().parents[2] / "docs" / "operations.md"
    return re.search(r"```sql\n(with gone as .*?)```", guide.read_text(), re.DOTALL)[1]


def stored(organization):
    """The (kind, revision) of all stored documents of an organization."""
    return organization.owner.execute(
        "select kind, revision from app.contract_documents where organization_id = %s order by 1, 2", (organization.id,)
    ).fetchall()


def upload(api, path, content, filename, field="file", status=None):
    """The response to an upload of bytes."""
    return api.post(path, raw=multipart(content, field, filename), headers={"Content-Type": FORM}, status=status)


def pdf_file(text=b"signed", before=b"", after=b"", catalog=b""):
    """A small PDF with a cross-reference table that fits; `catalog` stands in its root."""
    body = before + b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R" + catalog + b" >>\nendobj\n"
    second = len(body)
    body += b"2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n% " + text + b"\n"
    table = b"xref\n0 3\n0000000000 65535 f \n0000000009 00000 n \n%010d 00000 n \n" % second
    table += b"trailer\n<< /Size 3 /Root 1 0 R >>\n"
    return body + table + b"startxref\n%d\n%%%%EOF\n" % len(body) + after


def docx_file(types=DOCX_TYPES, parts=None, compress=zipfile.ZIP_DEFLATED):
    """A small Word document; `parts` are further parts (name to bytes)."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", compress) as archive:
        archive.writestr("[Content_Types].xml", types)
        archive.writestr("word/document.xml", "<document/>")
        for name, content in (parts or {}).items():
            archive.writestr(name, content)
    return made.getvalue()


def image_file(kind, size=(40, 20), mode="RGB", colour="red", **options):
    """An image as bytes; kind is PNG or JPEG."""
    made = io.BytesIO()
    Image.new(mode, size, colour).save(made, kind, **options)
    return made.getvalue()


def png_of_size(width, height):
    """A PNG that says it has this size and holds next to nothing."""
    png = image_file("PNG")
    header = png[12:16] + struct.pack(">LL", width, height) + png[24:29]
    return png[:12] + header + struct.pack(">L", zlib.crc32(header)) + png[33:]
