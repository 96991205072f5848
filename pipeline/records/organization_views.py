"""The organization endpoints."""

from pipeline.api.resource import Resource
from pipeline.api.shapes import STORED_FILE, Record, nullable
from pipeline.api.uploads import Upload, UploadField
from pipeline.http.request import Request
from pipeline.http.security import ADMIN, MEMBER
from pipeline.records import organization as organization_service
from pipeline.validation import Values

LOGO = UploadField("logo", 2 * 1024 * 1024)
ORGANIZATION = Record(
    "organization",
    "The organization's settings, look and legal details.",
    logo={**nullable(STORED_FILE), "description": "The stored logo file."},
)
organization = Resource("/organization", "The organization")
logo = Resource("/organization/logo", "The organization's logo")


@organization.get(access=MEMBER, answer=ORGANIZATION)
def get_organization(request: Request) -> bytes | None:
    return organization_service.get_organization()


@organization.change(
    "patch_organization",
    access=ADMIN,
    body=organization_service.Organization(),
    answer=ORGANIZATION,
    fails=("slug_taken",),
)
def update_organization(request: Request, body: Values) -> bytes | None:
    return organization_service.update_organization(body)


@logo.post(access=ADMIN, upload=LOGO, status=201, answer=ORGANIZATION)
def upload_organization_logo(request: Request, upload: Upload) -> bytes | None:
    return organization_service.set_logo(request.caller, upload.file)


@logo.delete(access=ADMIN)
def delete_organization_logo(request: Request) -> int:
    return organization_service.remove_logo()
