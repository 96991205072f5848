"""What a contract's text says of its signers: the lines to sign, and the people that it prints."""

from collections.abc import Collection, Iterable

from pipeline.database import Row, queries
from pipeline.documents import signatures
from pipeline.documents.subset import PARTIES
from pipeline.validation import Values, Violation
from pipeline.validation.codes import sentence
from pipeline.validation.errors import Problem

BLANKS, SIGNER = "blanks", "signer"


def prints(printed: Collection[str], name: str) -> bool:
    """Whether one of the printed names is this person's, as a typed name is compared with a signer's."""
    return bool(printed) and bool(queries.signature_name_printed(printed=list(printed), name=name))


def lines(content: str) -> set[str]:
    """The parties that have a line to sign."""
    found = signatures.places(content)
    return {party for party in PARTIES if f"{party}-signature" in found}


def check_blanks(source: Row, confirmed: Collection[str]) -> None:
    """Raises 409 `unresolved_tags` for a text with blanks."""
    if source["unresolved_tags"] and BLANKS not in confirmed:
        raise Problem("unresolved_tags", f"These merge tags have no value: {', '.join(source['unresolved_tags'])}.")


def check_signers(content: str, signers: Iterable[tuple[str, Values]], confirmed: Collection[str]) -> None:
    """Raises 422 `signer_mismatch` for (field, signer) whose party's line prints another name."""
    if SIGNER in confirmed:
        return
    printed = signatures.printed(content)
    violations = []
    for field, signer in signers:
        names = printed.get(f"{signer['party']}-name", [])
        if names and not prints(names, signer["name"]):
            violations.append(Violation(field, "signer_mismatch", sentence("signer_mismatch", name=names[0])))
    if violations:
        raise Problem("signer_mismatch", violations=violations)


def warnings(missing: Iterable[str]) -> list[dict[str, str]]:
    """A warning for each party whose line nobody signs."""
    return [
        {
            "code": "party_without_signer",
            "message": f"The contract has a line for the {party}, and no signer for it. The contract is not executed "
            "until another request completes this line.",
        }
        for party in sorted(missing)
    ]
