"""Pictures for the text of contracts. A picture never changes, and contracts keep a deleted one."""

from functools import partial
from pathlib import PurePath

from pyramid.response import Response

from pipeline import files
from pipeline.api.declared import Records
from pipeline.api.pagination import PagedByHundred
from pipeline.api.resource import Resource
from pipeline.api.uploads import Upload, UploadField
from pipeline.contracts.shapes import PICTURE
from pipeline.database import not_none, queries
from pipeline.documents.document import read_logo
from pipeline.files.images import reencoded
from pipeline.http.fairness.slots import hold_download
from pipeline.http.request import Request
from pipeline.http.security import ADMIN, MEMBER, Identity
from pipeline.validation import Body, Name, required
from pipeline.validation.types import without_unseen

FILE = UploadField("picture", 2 * 1024 * 1024)


class Picture(Body):
    """A renamed picture."""

    name = required(Name())


def add(caller: Identity, upload: Upload) -> bytes | None:
    """Stores a PNG or JPEG; returns the picture's JSON. Raises 422 `unsupported_file`."""
    image = reencoded(upload.file, "picture")
    size = not_none(read_logo(image.file.read()))
    image.file.seek(0)
    name = without_unseen(PurePath(upload.filename).stem)[:200].strip() or "picture"
    file_id = files.store(image.file, f"{name}.{image.extension}", image.content_type, caller.user_id)
    id = queries.picture_insert(name=name, file_id=file_id, width=size.width, height=size.height)
    return queries.picture_get.json(id=id)


pictures = Records("/pictures", "picture", write=ADMIN, body=Picture(), shows=PICTURE)
pictures.list("list_pictures", paged=PagedByHundred)
pictures.get("get_picture")
pictures.update("update_picture", "patch_picture")
pictures.delete("delete_picture")

content = Resource("/pictures/{id}/file", "The file of a picture")


@pictures.all.post(access=ADMIN, upload=FILE, status=201, answer=PICTURE)
def upload_picture(request: Request, upload: Upload) -> bytes | None:
    return add(request.caller, upload)


@content.get(access=MEMBER, gives="image/png, image/jpeg", tagged=True)
def get_picture_file(request: Request, id: int) -> Response | None:
    file_id = queries.picture_file(id=id)
    return file_id and files.file_response(file_id, partial(hold_download, request))
