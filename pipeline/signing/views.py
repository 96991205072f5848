"""The signature endpoints for members."""

from functools import partial

from pyramid.response import Response

from pipeline.api.declared import Records
from pipeline.api.resource import Resource
from pipeline.api.responses import or_404
from pipeline.database import Row
from pipeline.files import file_response
from pipeline.files.content import PDF
from pipeline.http.fairness.slots import hold, hold_download
from pipeline.http.request import Request
from pipeline.http.scopes import SIGN
from pipeline.http.security import MEMBER
from pipeline.signing import requests, schemas, shapes
from pipeline.validation import Values

PATH = "/contracts/{id}/signature-requests"

requests_of = Records(
    PATH, "signature_request", shows=shapes.REQUEST, item="requestId", given=lambda request, id: {"contract_id": id}
)
requests_of.list("list_signature_requests")
requests_of.get("get_signature_request")

reminder = Resource(f"{PATH}/{{requestId}}/remind", "Remind the signers")
signer = Resource(f"{PATH}/{{requestId}}/signers/{{signerId}}", "Correct a signer")
cancellation = Resource(f"{PATH}/{{requestId}}/cancel", "Cancel a signature request")
evidence = Resource("/contracts/{id}/signature", "The signatures of a contract")
document = Resource("/contracts/{id}/signature/document", "The PDF that signers saw")


@requests_of.all.post(
    access=MEMBER,
    scope=SIGN,
    body=schemas.SignatureRequest(),
    creates=True,
    answer=shapes.REQUEST,
    fails=(
        "contract_locked",
        "out_for_signature",
        "unresolved_tags",
        "signer_mismatch",
        "certificate_missing",
        "document_too_complex",
        "storage_full",
        "mail_quota",
    ),
)
def create_signature_request(request: Request, id: int, body: Values) -> bytes | None:
    settings = request.registry.pipeline
    return requests.create_request(request.caller, id, body, settings, partial(hold, request))


@reminder.post(
    access=MEMBER, scope=SIGN, answer=shapes.REQUEST, fails=("signing_ended", "already_reminded", "mail_quota")
)
def remind_signers(request: Request, id: int, requestId: int) -> bytes | None:
    return requests.remind(id, requestId, request.registry.pipeline.mail_quota)


@signer.patch(
    access=MEMBER,
    scope=SIGN,
    body=schemas.Correction(),
    answer=shapes.REQUEST,
    changed=lambda request: or_404(requests.signer(*request.path_values.values())),
    fails=("signing_ended", "already_signed", "signer_mismatch", "mail_quota"),
)
def correct_signer(request: Request, id: int, requestId: int, signerId: int, body: Values) -> bytes | None:
    return requests.correct(id, requestId, signerId, body, request.registry.pipeline.mail_quota)


@cancellation.post(access=MEMBER, scope=SIGN, answer=shapes.REQUEST, fails=("signing_ended",))
def cancel_signature_request(request: Request, id: int, requestId: int) -> bytes | None:
    return requests.cancel(id, requestId)


@evidence.get(access=MEMBER, answer=shapes.SIGNED)
def get_contract_signature(request: Request, id: int) -> Row | None:
    return requests.signature(id)


@document.get(access=MEMBER, gives=PDF, tagged=True)
def get_signature_document(request: Request, id: int) -> Response | None:
    file_id = requests.document(id)
    return file_id and file_response(file_id, partial(hold_download, request))
