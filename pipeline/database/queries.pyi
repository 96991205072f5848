"""Generated from sql/ by python -m development.query_stub; not to be changed by hand."""

import datetime
import decimal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from psycopg import Connection, Error

from pipeline.database.connections import Database
from pipeline.database.statements import SqlStatement, Variant

# The types of a row's values are those of its columns.
Row = dict[str, Any]

class SentQuery:
    text: bytes
    values: list[Any]
    variant: Variant

class NamedQuery:
    name: str
    kind: str
    parameters: tuple[str, ...]
    frame: str
    statement: SqlStatement
    # The classes below declare parameters and results.
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def json(self, *args: Any, **kwargs: Any) -> Any: ...
    def each(self, by: Mapping[str, Sequence[int]], **given: Any) -> list[str | None]: ...
    def words(self, name: str) -> tuple[str, ...]: ...
    def explained(self, options: str, /, **parameters: Any) -> list[Any]: ...
    def merged(self, **parameters: Any) -> bytes: ...
    def sent(self, parameters: dict[str, Any], frame: str = ...) -> SentQuery: ...

class ConnectionContext:
    connection: Connection[Row]
    role: str | None
    organization: str | None
    database: Database | None
    def __init__(self, connection: Connection[Row]) -> None: ...

def line_of(error: Error, text: bytes, variant: Variant) -> int: ...

SQL: Path
FILLED: dict[str, Callable[[], str | None]]

def dumps(value: object) -> bytes: ...
def loads(text: str | bytes) -> Any: ...

class AccountGet(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        user_id: int | None,
    ) -> bytes | None: ...

class AccountLink(NamedQuery):
    def __call__(
        self,
        *,
        token_hash: str | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        token_hash: str | None,
    ) -> bytes | None: ...

class AccountLinkMail(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class AccountMake(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
        email: str | None,
        name: str | None,
        password_hash: str | None,
    ) -> Any: ...

class AccountRename(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
        name: str | None,
    ) -> Any: ...

class AccountsDoubtful(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class ApiKeyDelete(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class ApiKeyGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class ApiKeyInsert(NamedQuery):
    def __call__(
        self,
        *,
        name: object | None,
        prefix: object | None,
        key_hash: object | None,
        role: object | None,
        scopes: Sequence[str] | None,
        expires_at: datetime.datetime | str | None,
        created_by: int | None,
    ) -> Any: ...

class ApiKeyList(NamedQuery):
    def __call__(
        self,
        *,
        search: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        search: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class ApiKeyUpdate(NamedQuery):
    def __call__(
        self,
        *,
        name: object | None,
        scopes: Sequence[str] | None,
        keeps_end: object | None,
        expires_at: datetime.datetime | str | None,
        id: int | None,
    ) -> int: ...

class ApiKeyUsed(NamedQuery):
    def __call__(
        self,
        *,
        organization_id: int | None,
        key_id: int | None,
    ) -> Any: ...

class AuditExport(NamedQuery):
    def __call__(
        self,
        *,
        type: Sequence[str] | None = None,
        id: int | None = None,
        action: Sequence[str] | None = None,
        actor_kind: str | None = None,
        actor_id: int | None = None,
        since: datetime.datetime | str | None = None,
        before: datetime.datetime | str | None = None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        type: Sequence[str] | None = None,
        id: int | None = None,
        action: Sequence[str] | None = None,
        actor_kind: str | None = None,
        actor_id: int | None = None,
        since: datetime.datetime | str | None = None,
        before: datetime.datetime | str | None = None,
    ) -> bytes: ...

class AuditList(NamedQuery):
    def __call__(
        self,
        *,
        type: Sequence[str] | None = None,
        id: int | None = None,
        action: Sequence[str] | None = None,
        actor_kind: str | None = None,
        actor_id: int | None = None,
        since: datetime.datetime | str | None = None,
        before: datetime.datetime | str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        type: Sequence[str] | None = None,
        id: int | None = None,
        action: Sequence[str] | None = None,
        actor_kind: str | None = None,
        actor_id: int | None = None,
        since: datetime.datetime | str | None = None,
        before: datetime.datetime | str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
    ) -> bytes | None: ...

class Authenticate(NamedQuery):
    def __call__(
        self,
        *,
        request_id: str | None = None,
        user_id: int | None,
        organization_id: int | None,
        session_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        request_id: str | None = None,
        user_id: int | None,
        organization_id: int | None,
        session_id: int | None,
    ) -> bytes | None: ...

class AuthenticateKey(NamedQuery):
    def __call__(
        self,
        *,
        request_id: str | None = None,
        key_hash: str | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        request_id: str | None = None,
        key_hash: str | None,
    ) -> bytes | None: ...

class BackendNumber(NamedQuery):
    def __call__(self) -> Any: ...

class BounceEnter(NamedQuery):
    def __call__(
        self,
        *,
        request_id: str | None = None,
        organization_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        request_id: str | None = None,
        organization_id: int | None,
    ) -> bytes | None: ...

class BounceHasOrganization(NamedQuery):
    def __call__(
        self,
        *,
        organization_id: int | None,
    ) -> Any: ...

class CaptureDraftDelete(NamedQuery):
    def __call__(
        self,
        *,
        token: str | None,
    ) -> int: ...

class CaptureDraftFind(NamedQuery):
    def __call__(
        self,
        *,
        token: str | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        token: str | None,
    ) -> bytes | None: ...

class CaptureDraftForget(NamedQuery):
    def __call__(
        self,
        *,
        token: str | None,
    ) -> int: ...

class CaptureDraftHandOver(NamedQuery):
    def __call__(
        self,
        *,
        keys: Sequence[str] | None,
        token: str | None,
    ) -> int: ...

class CaptureDraftLock(NamedQuery):
    def __call__(
        self,
        *,
        token: str | None,
    ) -> Any: ...

class CaptureDraftOpen(NamedQuery):
    def __call__(
        self,
        *,
        token: str | None,
    ) -> Any: ...

class CaptureDraftSave(NamedQuery):
    def __call__(
        self,
        *,
        token: object | None,
        template_id: int | None,
        given: str | None,
        agreed: object | None,
        step: object | None,
        shown: Sequence[str] | None,
        cleared: Sequence[str] | None,
    ) -> int: ...

class CaptureDraftSubmitted(NamedQuery):
    def __call__(
        self,
        *,
        token: str | None,
    ) -> int: ...

class CaptureDraftsPurge(NamedQuery):
    def __call__(self) -> int: ...

class CaptureFilesPrune(NamedQuery):
    def __call__(
        self,
        *,
        token: str | None,
    ) -> int: ...

class CellBeat(NamedQuery):
    def __call__(
        self,
        *,
        write: bool | None,
    ) -> Any: ...

class ChangeFeed(NamedQuery):
    def __call__(
        self,
        *,
        transaction_id: int | None,
        id: int | None,
        types: Sequence[str] | None = None,
        limit: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        transaction_id: int | None,
        id: int | None,
        types: Sequence[str] | None = None,
        limit: int | None,
    ) -> bytes | None: ...

class ChangeFeedEnd(NamedQuery):
    def __call__(self) -> Any: ...

class ChangesErase(NamedQuery):
    def __call__(
        self,
        *,
        leads: Sequence[int | None] | None,
        contacts: Sequence[int | None] | None,
        invites: Sequence[int | None] | None,
        notes: Sequence[int | None] | None,
        tasks: Sequence[int | None] | None,
        companies: Sequence[int | None] | None,
        patterns: Sequence[str] | None,
        deals: Sequence[int | None] | None,
        requests: Sequence[int | None] | None,
    ) -> int: ...

class ChangesPurge(NamedQuery):
    def __call__(
        self,
        *,
        days: int | None,
    ) -> Any: ...

class ChangesRenumber(NamedQuery):
    def __call__(self) -> int: ...

class ClauseContents(NamedQuery):
    def __call__(
        self,
        *,
        keys: Sequence[str] | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        keys: Sequence[str] | None,
    ) -> bytes: ...

class ClauseDelete(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class ClauseGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class ClauseInsert(NamedQuery):
    def __call__(
        self,
        *,
        key: object | None,
        name: object | None,
        content: object | None,
        language: object | None,
        warnings: str | None,
    ) -> Any: ...

class ClauseKeys(NamedQuery):
    def __call__(self) -> Any: ...

class ClauseList(NamedQuery):
    def __call__(
        self,
        *,
        search: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        search: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class ClauseUpdate(NamedQuery):
    def __call__(
        self,
        *,
        name: str | None,
        content: str | None,
        language: str | None,
        warnings: str | None,
        id: int | None,
    ) -> int: ...

class ClausesHold(NamedQuery):
    def __call__(
        self,
        *,
        keys: Sequence[str] | None,
    ) -> int: ...

class CompanyBatchLock(NamedQuery):
    def __call__(
        self,
        *,
        ids: Sequence[int | None] | None,
        external_ids: Sequence[str] | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        ids: Sequence[int | None] | None,
        external_ids: Sequence[str] | None,
    ) -> bytes: ...

class CompanyDelete(NamedQuery):
    def __call__(
        self,
        *,
        ids: Sequence[int | None] | None,
    ) -> int: ...

class CompanyGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class CompanyInsert(NamedQuery):
    def __call__(
        self,
        *,
        rows: str | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        rows: str | None,
    ) -> bytes: ...

class CompanyList(NamedQuery):
    def __call__(
        self,
        *,
        search: Sequence[str] | None = None,
        fields: str | None = None,
        field_min: str | None = None,
        field_max: str | None = None,
        external_id: str | None = None,
        domain: str | None = None,
        updated_since: datetime.datetime | str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        sort_field: str | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        search: Sequence[str] | None = None,
        fields: str | None = None,
        field_min: str | None = None,
        field_max: str | None = None,
        external_id: str | None = None,
        domain: str | None = None,
        updated_since: datetime.datetime | str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        sort_field: str | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class CompanyUpdate(NamedQuery):
    def __call__(
        self,
        *,
        rows: str | None,
    ) -> int: ...

class ConfigurationDelete(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class ConfigurationGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class ConfigurationInsert(NamedQuery):
    def __call__(
        self,
        *,
        deal_id: object | None,
        definition_id: object | None,
        platform_keys: object | None,
        feature_keys: object | None,
        license_type: object | None,
        quantity: object | None,
        status: str | None,
        invite_id: object | None,
        once: bool | None = None,
    ) -> Any: ...

class ConfigurationList(NamedQuery):
    def __call__(
        self,
        *,
        deal_id: int | None = None,
        definition_id: int | None = None,
        invite_id: int | None = None,
        status: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        deal_id: int | None = None,
        definition_id: int | None = None,
        invite_id: int | None = None,
        status: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class ConfigurationSeedState(NamedQuery):
    def __call__(
        self,
        *,
        invite_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        invite_id: int | None,
    ) -> bytes | None: ...

class ConfigurationUpdate(NamedQuery):
    def __call__(
        self,
        *,
        deal_id: object | None,
        definition_id: object | None,
        platform_keys: object | None,
        feature_keys: object | None,
        license_type: object | None,
        quantity: object | None,
        status: str | None,
        id: int | None,
    ) -> int: ...

class ConfiguratorDefinitionBySlug(NamedQuery):
    def __call__(
        self,
        *,
        slug: object | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        slug: object | None,
    ) -> bytes | None: ...

class ConfiguratorDefinitionChoices(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class ConfiguratorDefinitionDelete(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class ConfiguratorDefinitionGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class ConfiguratorDefinitionInsert(NamedQuery):
    def __call__(
        self,
        *,
        name: object | None,
        slug: object | None,
        active: object | None,
        platform_keys: object | None,
        feature_keys: object | None,
        license_types: object | None,
        labels: object | None,
    ) -> Any: ...

class ConfiguratorDefinitionList(NamedQuery):
    def __call__(
        self,
        *,
        active: bool | None = None,
        search: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        active: bool | None = None,
        search: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class ConfiguratorDefinitionUpdate(NamedQuery):
    def __call__(
        self,
        *,
        name: object | None,
        slug: object | None,
        active: object | None,
        platform_keys: object | None,
        feature_keys: object | None,
        license_types: object | None,
        labels: object | None,
        id: int | None,
    ) -> int: ...

class ContactBatchLock(NamedQuery):
    def __call__(
        self,
        *,
        ids: Sequence[int | None] | None,
        external_ids: Sequence[str] | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        ids: Sequence[int | None] | None,
        external_ids: Sequence[str] | None,
    ) -> bytes: ...

class ContactDelete(NamedQuery):
    def __call__(
        self,
        *,
        ids: Sequence[int | None] | None,
    ) -> int: ...

class ContactGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class ContactInsert(NamedQuery):
    def __call__(
        self,
        *,
        rows: str | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        rows: str | None,
    ) -> bytes: ...

class ContactList(NamedQuery):
    def __call__(
        self,
        *,
        search: Sequence[str] | None = None,
        fields: str | None = None,
        field_min: str | None = None,
        field_max: str | None = None,
        external_id: str | None = None,
        email: str | None = None,
        company_id: int | None = None,
        updated_since: datetime.datetime | str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        sort_field: str | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        search: Sequence[str] | None = None,
        fields: str | None = None,
        field_min: str | None = None,
        field_max: str | None = None,
        external_id: str | None = None,
        email: str | None = None,
        company_id: int | None = None,
        updated_since: datetime.datetime | str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        sort_field: str | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class ContactUpdate(NamedQuery):
    def __call__(
        self,
        *,
        rows: str | None,
    ) -> int: ...

class ContractDelete(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class ContractDocument(NamedQuery):
    def __call__(
        self,
        *,
        kind: str | None,
        limits: Sequence[int] | None,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        kind: str | None,
        limits: Sequence[int] | None,
        id: int | None,
    ) -> bytes | None: ...

class ContractDocumentInsert(NamedQuery):
    def __call__(
        self,
        *,
        contract_id: int | None,
        revision: int | None,
        kind: str | None,
        file_id: int | None,
    ) -> int: ...

class ContractDocumentLock(NamedQuery):
    def __call__(
        self,
        *,
        kind: str | None,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        kind: str | None,
        id: int | None,
    ) -> bytes | None: ...

class ContractDocumentSource(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class ContractDraftSource(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class ContractExecute(NamedQuery):
    def __call__(
        self,
        *,
        file_id: int | None,
        warnings: str | None,
        id: int | None,
    ) -> int: ...

class ContractExecutedFile(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class ContractFiles(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class ContractGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class ContractInsert(NamedQuery):
    def __call__(
        self,
        *,
        name: object | None,
        template_id: object | None,
        deal_id: object | None,
        company_id: object | None,
        effective_date: object | None,
        term_months: object | None,
        termination_date: object | None,
        fields: object | None,
        content: object | None,
        layout: object | None,
        unresolved_tags: object | None,
        missing_glyphs: object | None,
        contract_number: object | None,
        external_id: str | None,
        created_by: int | None,
    ) -> Any: ...

class ContractIsConverted(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class ContractList(NamedQuery):
    def __call__(
        self,
        *,
        search: Sequence[str] | None = None,
        fields: str | None = None,
        field_min: str | None = None,
        field_max: str | None = None,
        status: Sequence[str] | None = None,
        number: str | None = None,
        external_id: str | None = None,
        deal_id: int | None = None,
        expiring_within: int | None = None,
        effective_from: datetime.date | None = None,
        effective_to: datetime.date | None = None,
        updated_since: datetime.datetime | str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        sort_field: str | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        search: Sequence[str] | None = None,
        fields: str | None = None,
        field_min: str | None = None,
        field_max: str | None = None,
        status: Sequence[str] | None = None,
        number: str | None = None,
        external_id: str | None = None,
        deal_id: int | None = None,
        expiring_within: int | None = None,
        effective_from: datetime.date | None = None,
        effective_to: datetime.date | None = None,
        updated_since: datetime.datetime | str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        sort_field: str | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class ContractLock(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class ContractMove(NamedQuery):
    def __call__(
        self,
        *,
        status: object | None,
        id: int | None,
    ) -> int: ...

class ContractNameOutside(NamedQuery):
    def __call__(
        self,
        *,
        external_id: str | None,
        id: int | None,
    ) -> int: ...

class ContractNumber(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class ContractNumberTake(NamedQuery):
    def __call__(
        self,
        *,
        prefix: object | None,
    ) -> Any: ...

class ContractPatience(NamedQuery):
    def __call__(
        self,
        *,
        patience: str | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        patience: str | None,
    ) -> bytes | None: ...

class ContractRedlineSource(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
        earlier: int | None,
        later: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
        earlier: int | None,
        later: int | None,
    ) -> bytes | None: ...

class ContractRefuse(NamedQuery):
    def __call__(
        self,
        *,
        kind: str | None,
        revision: int | None,
        code: str | None,
        reason: str | None,
        limits: Sequence[int] | None,
        seconds: int | None,
        contract_id: int | None,
    ) -> int: ...

class ContractRevisionLock(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
        revision: int | None,
    ) -> Any: ...

class ContractSealedBy(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class ContractSources(NamedQuery):
    def __call__(
        self,
        *,
        template_id: int | None,
        kept_template_id: int | None,
        deal_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        template_id: int | None,
        kept_template_id: int | None,
        deal_id: int | None,
    ) -> bytes | None: ...

class ContractTemplateDelete(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class ContractTemplateGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class ContractTemplateInsert(NamedQuery):
    def __call__(
        self,
        *,
        missing_glyphs: str | None,
        warnings: str | None,
        clauses: Sequence[str] | None,
        name: object | None,
        content: object | None,
        number_prefix: object | None,
        default_term_months: object | None,
        header_left: object | None,
        header_center: object | None,
        header_right: object | None,
        footer_left: object | None,
        footer_center: object | None,
        footer_right: object | None,
        language: object | None,
        direction: object | None,
        page_size: object | None,
        orientation: object | None,
        watermark: object | None,
    ) -> Any: ...

class ContractTemplateList(NamedQuery):
    def __call__(
        self,
        *,
        updated_since: datetime.datetime | str | None = None,
        search: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        updated_since: datetime.datetime | str | None = None,
        search: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class ContractTemplateLock(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class ContractTemplateSchedules(NamedQuery):
    def __call__(
        self,
        *,
        ids: Sequence[int | None] | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        ids: Sequence[int | None] | None,
    ) -> bytes: ...

class ContractTemplateSetLogo(NamedQuery):
    def __call__(
        self,
        *,
        file_id: int | None,
        id: int | None,
    ) -> int: ...

class ContractTemplateSetWord(NamedQuery):
    def __call__(
        self,
        *,
        word: str | None,
        clauses: Sequence[str] | None,
        id: int | None,
    ) -> int: ...

class ContractTemplateUpdate(NamedQuery):
    def __call__(
        self,
        *,
        name: object | None,
        content: object | None,
        number_prefix: object | None,
        default_term_months: object | None,
        header_left: object | None,
        header_center: object | None,
        header_right: object | None,
        footer_left: object | None,
        footer_center: object | None,
        footer_right: object | None,
        language: object | None,
        direction: object | None,
        page_size: object | None,
        orientation: object | None,
        watermark: object | None,
        missing_glyphs: str | None,
        warnings: str | None,
        clauses: Sequence[str] | None,
        id: int | None,
    ) -> int: ...

class ContractTemplateWord(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class ContractTemplateWordFile(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class ContractUnexecute(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class ContractUpdate(NamedQuery):
    def __call__(
        self,
        *,
        name: object | None,
        template_id: object | None,
        deal_id: object | None,
        company_id: object | None,
        effective_date: object | None,
        term_months: object | None,
        termination_date: object | None,
        fields: object | None,
        content: object | None,
        layout: object | None,
        unresolved_tags: object | None,
        missing_glyphs: object | None,
        edited: bool | None,
        edit_warnings: str | None,
        id: int | None,
    ) -> int: ...

class ContractsExpire(NamedQuery):
    def __call__(self) -> int: ...

class DatabasesLeft(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class DealBatchLock(NamedQuery):
    def __call__(
        self,
        *,
        ids: Sequence[int | None] | None,
        external_ids: Sequence[str] | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        ids: Sequence[int | None] | None,
        external_ids: Sequence[str] | None,
    ) -> bytes: ...

class DealCurrency(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class DealDelete(NamedQuery):
    def __call__(
        self,
        *,
        ids: Sequence[int | None] | None,
    ) -> int: ...

class DealGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class DealInsert(NamedQuery):
    def __call__(
        self,
        *,
        rows: str | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        rows: str | None,
    ) -> bytes: ...

class DealList(NamedQuery):
    def __call__(
        self,
        *,
        search: Sequence[str] | None = None,
        fields: str | None = None,
        field_min: str | None = None,
        field_max: str | None = None,
        external_id: str | None = None,
        stage_id: int | None = None,
        company_id: int | None = None,
        contact_id: int | None = None,
        owner_id: int | None = None,
        value_min: decimal.Decimal | None = None,
        value_max: decimal.Decimal | None = None,
        expected_close_from: datetime.date | None = None,
        expected_close_to: datetime.date | None = None,
        updated_since: datetime.datetime | str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        sort_field: str | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        search: Sequence[str] | None = None,
        fields: str | None = None,
        field_min: str | None = None,
        field_max: str | None = None,
        external_id: str | None = None,
        stage_id: int | None = None,
        company_id: int | None = None,
        contact_id: int | None = None,
        owner_id: int | None = None,
        value_min: decimal.Decimal | None = None,
        value_max: decimal.Decimal | None = None,
        expected_close_from: datetime.date | None = None,
        expected_close_to: datetime.date | None = None,
        updated_since: datetime.datetime | str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        sort_field: str | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class DealStageDelete(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class DealStageGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class DealStageInsert(NamedQuery):
    def __call__(
        self,
        *,
        name: str | None,
        position: int | None,
    ) -> Any: ...

class DealStageList(NamedQuery):
    def __call__(
        self,
        *,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class DealStageUpdate(NamedQuery):
    def __call__(
        self,
        *,
        name: object | None,
        position: int | None,
        id: int | None,
    ) -> int: ...

class DealUpdate(NamedQuery):
    def __call__(
        self,
        *,
        rows: str | None,
    ) -> int: ...

class EmailAskedToday(NamedQuery):
    def __call__(
        self,
        *,
        to_email: object | None,
    ) -> Any: ...

class EmailBounce(NamedQuery):
    def __call__(
        self,
        *,
        message_id: str | None,
        error: object | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        message_id: str | None,
        error: object | None,
    ) -> bytes | None: ...

class EmailClaim(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class EmailGet(NamedQuery):
    def __call__(
        self,
        *,
        patience: float | None,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        patience: float | None,
        id: int | None,
    ) -> bytes | None: ...

class EmailInsert(NamedQuery):
    def __call__(
        self,
        *,
        effect_key: object | None,
        random_id: str | None,
        from_email: object | None,
        from_name: object | None,
        to_email: object | None,
        to_name: object | None,
        reply_to_email: object | None,
        subject: object | None,
        body_text: object | None,
        body_html: object | None,
        lead_id: object | None,
        invite_id: object | None,
        invite_part: object | None,
        link_id: object | None,
        signer_id: object | None,
        signer_part: object | None,
        code_id: object | None,
        unsubscribe_url: object | None,
        attachment: object | None,
    ) -> Any: ...

class EmailRelease(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
        unanswered: bool | None,
        error: object | None,
        claim: int | None,
    ) -> int: ...

class EmailRemind(NamedQuery):
    def __call__(
        self,
        *,
        days: Sequence[int] | None,
        id: int | None,
    ) -> int: ...

class EmailSecretIssue(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class EmailSecretKeep(NamedQuery):
    def __call__(
        self,
        *,
        sealed_secret: object | None,
        id: int | None,
    ) -> int: ...

class EmailSettle(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
        status: object | None,
        error: object | None,
        sent_at: datetime.datetime | str | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
        status: object | None,
        error: object | None,
        sent_at: datetime.datetime | str | None,
    ) -> bytes | None: ...

class EmailSettleInvite(NamedQuery):
    def __call__(
        self,
        *,
        invite_part: str | None,
        status: str | None,
        error: object | None,
        sent_at: datetime.datetime | str | None,
        invite_id: int | None,
    ) -> int: ...

class EmailSettleSigner(NamedQuery):
    def __call__(
        self,
        *,
        status: str | None,
        error: object | None,
        signer_id: int | None,
        to_email: object | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        status: str | None,
        error: object | None,
        signer_id: int | None,
        to_email: object | None,
    ) -> bytes | None: ...

class EmailSignerLock(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes: ...

class EmailTransmitting(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
        claim: int | None,
    ) -> int: ...

class ErasureLock(NamedQuery):
    def __call__(self) -> Row | None: ...
    def json(self) -> bytes | None: ...

class ExportRecorded(NamedQuery):
    def __call__(
        self,
        *,
        type: str | None,
        filter: str | None,
    ) -> Any: ...

class ExtensionNames(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class FieldDefinitions(NamedQuery):
    def __call__(
        self,
        *,
        kind: str | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        kind: str | None,
    ) -> bytes: ...

class FieldDelete(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class FieldGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class FieldInsert(NamedQuery):
    def __call__(
        self,
        *,
        kind: str | None,
        key: str | None,
        label: str | None,
        type: str | None,
        options: Sequence[str] | None,
        initial: str | None,
        required: bool | None,
        description: str | None,
        position: int | None,
    ) -> Any: ...

class FieldList(NamedQuery):
    def __call__(
        self,
        *,
        kind: str | None = None,
        search: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        kind: str | None = None,
        search: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class FieldTags(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class FieldUpdate(NamedQuery):
    def __call__(
        self,
        *,
        label: object | None,
        options: Sequence[str] | None,
        initial: str | None,
        required: bool | None,
        description: str | None,
        position: int | None,
        id: int | None,
    ) -> int: ...

class FileChunkGet(NamedQuery):
    def __call__(
        self,
        *,
        file_id: int | None,
        position: object | None,
    ) -> Any: ...

class FileChunkInsert(NamedQuery):
    def __call__(
        self,
        *,
        file_id: int | None,
        position: object | None,
        content: bytes | None,
    ) -> int: ...

class FileDelete(NamedQuery):
    def __call__(
        self,
        *,
        ids: Sequence[int | None] | None,
    ) -> int: ...

class FileGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class FileInsert(NamedQuery):
    def __call__(
        self,
        *,
        filename: object | None,
        content_type: object | None,
        size: object | None,
        sha256: object | None,
        created_by: int | None,
    ) -> Any: ...

class FileOrganizationLogo(NamedQuery):
    def __call__(self) -> Any: ...

class FileStorageTotal(NamedQuery):
    def __call__(self) -> Row | None: ...
    def json(self) -> bytes | None: ...

class FileStorageUse(NamedQuery):
    def __call__(self) -> Any: ...

class FilesDamaged(NamedQuery):
    def __call__(
        self,
        *,
        digests: bool | None = None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        digests: bool | None = None,
    ) -> bytes: ...

class ForeignObjects(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class FormAnswersAbout(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None = None,
        id: int | None,
        printed: bool | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        user_id: int | None = None,
        id: int | None,
        printed: bool | None = None,
    ) -> bytes | None: ...

class FormAnswersEnter(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
        request_id: str | None = None,
        organization_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        user_id: int | None,
        request_id: str | None = None,
        organization_id: int | None,
    ) -> bytes | None: ...

class FormLogoContent(NamedQuery):
    def __call__(
        self,
        *,
        sha256: str | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        sha256: str | None,
    ) -> bytes | None: ...

class FormLook(NamedQuery):
    def __call__(self) -> Row | None: ...
    def json(self) -> bytes | None: ...

class FormResponses(NamedQuery):
    def __call__(
        self,
        *,
        template_id: int | None,
        version_id: int | None,
        status: Sequence[str] | None,
        first: datetime.date | None = None,
        last: datetime.date | None = None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        template_id: int | None,
        version_id: int | None,
        status: Sequence[str] | None,
        first: datetime.date | None = None,
        last: datetime.date | None = None,
    ) -> bytes: ...

class FormSurroundings(NamedQuery):
    def __call__(self) -> Row | None: ...
    def json(self) -> bytes | None: ...

class FormVersionsAnswered(NamedQuery):
    def __call__(
        self,
        *,
        template_id: int | None,
        status: Sequence[str] | None,
        first: datetime.date | None = None,
        last: datetime.date | None = None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        template_id: int | None,
        status: Sequence[str] | None,
        first: datetime.date | None = None,
        last: datetime.date | None = None,
    ) -> bytes: ...

class HealthProbe(NamedQuery):
    def __call__(self) -> Row | None: ...
    def json(self) -> bytes | None: ...

class HealthProbePatience(NamedQuery):
    def __call__(
        self,
        *,
        statement_timeout: str | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        statement_timeout: str | None,
    ) -> bytes | None: ...

class IdempotencyFind(NamedQuery):
    def __call__(
        self,
        *,
        scope: str | None,
        key: str | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        scope: str | None,
        key: str | None,
    ) -> bytes | None: ...

class IdempotencyForget(NamedQuery):
    def __call__(
        self,
        *,
        scope: str | None,
        key: str | None,
    ) -> int: ...

class IdempotencyKeep(NamedQuery):
    def __call__(
        self,
        *,
        scope: object | None,
        key: object | None,
        request_hash: object | None,
        status: int | None,
        headers: str | None,
        body: bytes | None,
    ) -> int: ...

class IdempotencyKeysPurge(NamedQuery):
    def __call__(self) -> int: ...

class IdempotencyLock(NamedQuery):
    def __call__(
        self,
        *,
        key: str | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        key: str | None,
    ) -> bytes | None: ...

class IndexesLeaky(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class InterviewCopyRefused(NamedQuery):
    def __call__(
        self,
        *,
        error: object | None,
        id: int | None,
    ) -> int: ...

class InterviewInviteEmail(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class InterviewInviteExpire(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class InterviewInviteGet(NamedQuery):
    def __call__(
        self,
        *,
        forms_url: str | None,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        forms_url: str | None,
        id: int | None,
    ) -> bytes | None: ...

class InterviewInviteInsert(NamedQuery):
    def __call__(
        self,
        *,
        lead_id: int | None,
        deal_id: int | None,
        token: object | None,
        recipient_email: object | None,
        recipient_name: object | None,
        personal_note: object | None,
        language: object | None,
        send_email: bool | None,
        reminders: Sequence[int] | None,
        expires_at: datetime.datetime | str | None,
        created_by: int | None,
        template_id: int | None,
    ) -> Any: ...

class InterviewInviteList(NamedQuery):
    def __call__(
        self,
        *,
        search: Sequence[str] | None = None,
        lead_id: int | None = None,
        deal_id: int | None = None,
        template_id: int | None = None,
        status: Sequence[str] | None = None,
        updated_since: datetime.datetime | str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        forms_url: str | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        search: Sequence[str] | None = None,
        lead_id: int | None = None,
        deal_id: int | None = None,
        template_id: int | None = None,
        status: Sequence[str] | None = None,
        updated_since: datetime.datetime | str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        forms_url: str | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class InterviewInviteNotMailed(NamedQuery):
    def __call__(
        self,
        *,
        email_status: str | None,
        email_error: str | None,
        id: int | None,
    ) -> int: ...

class InterviewInviteRenew(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
        expires_at: datetime.datetime | str | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
        expires_at: datetime.datetime | str | None,
    ) -> bytes | None: ...

class InterviewInviteRequeue(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class InterviewResponsesGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class InterviewTalliesFold(NamedQuery):
    def __call__(self) -> int: ...

class InterviewTemplateAddVersion(NamedQuery):
    def __call__(
        self,
        *,
        pages: str | None,
        questions: str | None,
        branding: str | None,
        thank_you: str | None,
        hints: str | None,
        field_map: str | None,
        translations: str | None,
        hidden_fields: str | None,
        embed_origins: str | None,
        name: str | None,
        language: str | None,
        created_by: int | None,
        template_id: int | None,
    ) -> int: ...

class InterviewTemplateDelete(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class InterviewTemplateFacts(NamedQuery):
    def __call__(
        self,
        *,
        template_id: int | None,
        first: datetime.date | None = None,
        last: datetime.date | None = None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        template_id: int | None,
        first: datetime.date | None = None,
        last: datetime.date | None = None,
    ) -> bytes: ...

class InterviewTemplateGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class InterviewTemplateInsert(NamedQuery):
    def __call__(
        self,
        *,
        name: object | None,
        slug: object | None,
        public_slug: object | None,
        lead_capture_enabled: object | None,
    ) -> Any: ...

class InterviewTemplateLanguages(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class InterviewTemplateList(NamedQuery):
    def __call__(
        self,
        *,
        updated_since: datetime.datetime | str | None = None,
        search: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        updated_since: datetime.datetime | str | None = None,
        search: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class InterviewTemplateOverdue(NamedQuery):
    def __call__(
        self,
        *,
        template_id: int | None,
        first: datetime.date | None = None,
        last: datetime.date | None = None,
    ) -> Any: ...

class InterviewTemplateParts(NamedQuery):
    def __call__(
        self,
        *,
        template_id: int | None,
        names: Sequence[str] | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        template_id: int | None,
        names: Sequence[str] | None,
    ) -> bytes: ...

class InterviewTemplateUpdate(NamedQuery):
    def __call__(
        self,
        *,
        name: object | None,
        slug: object | None,
        public_slug: object | None,
        lead_capture_enabled: object | None,
        id: int | None,
    ) -> Any: ...

class InterviewVersionGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class InvitationActivate(NamedQuery):
    def __call__(
        self,
        *,
        token_hash: str | None,
        name: str | None,
        password_hash: str | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        token_hash: str | None,
        name: str | None,
        password_hash: str | None,
    ) -> bytes | None: ...

class InvitationAnswer(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
        id: int | None,
        outcome: str | None,
    ) -> Any: ...

class InvitationDecline(NamedQuery):
    def __call__(
        self,
        *,
        token_hash: str | None,
    ) -> Any: ...

class InvitationDelete(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
    ) -> int: ...

class InvitationGet(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        user_id: int | None,
    ) -> bytes | None: ...

class InvitationInsert(NamedQuery):
    def __call__(
        self,
        *,
        email: str | None,
        name: str | None,
        role: str | None,
        team_id: int | None,
        invited_by: int | None,
    ) -> Any: ...

class InvitationJoin(NamedQuery):
    def __call__(
        self,
        *,
        token_hash: str | None,
        user_id: int | None,
        password_hash: str | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        token_hash: str | None,
        user_id: int | None,
        password_hash: str | None,
    ) -> bytes | None: ...

class InvitationSend(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
        invited_by: int | None,
    ) -> Any: ...

class InvitationUpdate(NamedQuery):
    def __call__(
        self,
        *,
        name: str | None,
        role: str | None,
        team_id: int | None,
        user_id: int | None,
    ) -> int: ...

class InvitationWithdraw(NamedQuery):
    def __call__(
        self,
        *,
        organization_id: int | None,
        email: str | None,
    ) -> int: ...

class InvitationsOf(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        user_id: int | None,
    ) -> bytes: ...

class InvitationsPurge(NamedQuery):
    def __call__(self) -> int: ...

class InviteEmails(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes: ...

class InviteTokenNewest(NamedQuery):
    def __call__(
        self,
        *,
        organization_id: int | None,
    ) -> Any: ...

class InvitesExpire(NamedQuery):
    def __call__(self) -> int: ...

class KeysTaken(NamedQuery):
    def __call__(
        self,
        *,
        named: str | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        named: str | None,
    ) -> bytes: ...

class LeadBatchLock(NamedQuery):
    def __call__(
        self,
        *,
        ids: Sequence[int | None] | None,
        external_ids: Sequence[str] | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        ids: Sequence[int | None] | None,
        external_ids: Sequence[str] | None,
    ) -> bytes: ...

class LeadCompanyFill(NamedQuery):
    def __call__(
        self,
        *,
        fields: str | None,
        id: int | None,
    ) -> int: ...

class LeadCompanyFind(NamedQuery):
    def __call__(
        self,
        *,
        company: str | None,
    ) -> Any: ...

class LeadContactEmploy(NamedQuery):
    def __call__(
        self,
        *,
        company_id: int | None,
        contact_id: int | None,
    ) -> int: ...

class LeadContactFill(NamedQuery):
    def __call__(
        self,
        *,
        company_id: int | None,
        fields: str | None,
        contact_id: int | None,
        id: int | None,
    ) -> int: ...

class LeadContactFind(NamedQuery):
    def __call__(
        self,
        *,
        email: str | None,
        name: str | None,
    ) -> Any: ...

class LeadContactInsert(NamedQuery):
    def __call__(
        self,
        *,
        company_id: int | None,
        fields: str | None,
        id: int | None,
    ) -> Any: ...

class LeadDays(NamedQuery):
    def __call__(
        self,
        *,
        date_from: datetime.date | None,
        date_to: datetime.date | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        date_from: datetime.date | None,
        date_to: datetime.date | None,
    ) -> bytes | None: ...

class LeadDealStage(NamedQuery):
    def __call__(
        self,
        *,
        stage_id: int | None,
    ) -> Any: ...

class LeadDelete(NamedQuery):
    def __call__(
        self,
        *,
        ids: Sequence[int | None] | None,
    ) -> int: ...

class LeadDisqualify(NamedQuery):
    def __call__(
        self,
        *,
        reason: str | None,
        id: int | None,
    ) -> int: ...

class LeadDuplicateList(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
        most: int | None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
        most: int | None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
    ) -> bytes | None: ...

class LeadEmailList(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
    ) -> bytes | None: ...

class LeadExport(NamedQuery):
    def __call__(
        self,
        *,
        status: Sequence[str] | None = None,
        source: str | None = None,
        external_id: str | None = None,
        email: str | None = None,
        assigned_to: int | None = None,
        user_id: int | None = None,
        date_from: datetime.datetime | str | None = None,
        date_to: datetime.datetime | str | None = None,
        updated_since: datetime.datetime | str | None = None,
        search: Sequence[str] | None = None,
        tag: Sequence[str] | None = None,
        fields: str | None = None,
        field_min: str | None = None,
        field_max: str | None = None,
        ids: Sequence[int | None] | None = None,
        scope: str | None = None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        status: Sequence[str] | None = None,
        source: str | None = None,
        external_id: str | None = None,
        email: str | None = None,
        assigned_to: int | None = None,
        user_id: int | None = None,
        date_from: datetime.datetime | str | None = None,
        date_to: datetime.datetime | str | None = None,
        updated_since: datetime.datetime | str | None = None,
        search: Sequence[str] | None = None,
        tag: Sequence[str] | None = None,
        fields: str | None = None,
        field_min: str | None = None,
        field_max: str | None = None,
        ids: Sequence[int | None] | None = None,
        scope: str | None = None,
    ) -> bytes: ...

class LeadGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class LeadImportAccept(NamedQuery):
    def __call__(
        self,
        *,
        options: str | None,
        file_id: int | None,
        total: int | None,
    ) -> Any: ...

class LeadImportAnalyze(NamedQuery):
    def __call__(self) -> int: ...

class LeadImportBegin(NamedQuery):
    def __call__(self) -> int: ...

class LeadImportBeginResults(NamedQuery):
    def __call__(self) -> int: ...

class LeadImportBeginTask(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class LeadImportCall(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class LeadImportCompare(NamedQuery):
    def __call__(
        self,
        *,
        conflicts: object | None,
    ) -> int: ...

class LeadImportConclude(NamedQuery):
    def __call__(
        self,
        *,
        dry_run: bool | None,
    ) -> int: ...

class LeadImportCopy(NamedQuery):
    def __call__(self) -> int: ...

class LeadImportCounts(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class LeadImportEnd(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
        error: str | None,
        report: str | None,
        rows_file_id: int | None,
    ) -> Any: ...

class LeadImportFill(NamedQuery):
    def __call__(
        self,
        *,
        cleared: Sequence[str] | None,
    ) -> int: ...

class LeadImportFold(NamedQuery):
    def __call__(self) -> int: ...

class LeadImportFoldFields(NamedQuery):
    def __call__(self) -> int: ...

class LeadImportFollow(NamedQuery):
    def __call__(self) -> int: ...

class LeadImportGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class LeadImportGroup(NamedQuery):
    def __call__(self) -> int: ...

class LeadImportGroupNames(NamedQuery):
    def __call__(self) -> int: ...

class LeadImportHold(NamedQuery):
    def __call__(self) -> int: ...

class LeadImportInsert(NamedQuery):
    def __call__(
        self,
        *,
        defaults: str | None,
    ) -> int: ...

class LeadImportKeep(NamedQuery):
    def __call__(
        self,
        *,
        total: int | None,
        rows_file_id: int | None,
    ) -> Any: ...

class LeadImportListed(NamedQuery):
    def __call__(
        self,
        *,
        result: Sequence[str] | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        result: Sequence[str] | None = None,
    ) -> bytes | None: ...

class LeadImportLock(NamedQuery):
    def __call__(self) -> Any: ...

class LeadImportMatchEmails(NamedQuery):
    def __call__(self) -> int: ...

class LeadImportMatchExternalIds(NamedQuery):
    def __call__(self) -> int: ...

class LeadImportMatchIds(NamedQuery):
    def __call__(self) -> int: ...

class LeadImportMatchNames(NamedQuery):
    def __call__(self) -> int: ...

class LeadImportNameless(NamedQuery):
    def __call__(
        self,
        *,
        reason: object | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        reason: object | None,
    ) -> bytes: ...

class LeadImportProgress(NamedQuery):
    def __call__(
        self,
        *,
        done: int | None,
        id: int | None,
    ) -> int: ...

class LeadImportRefuse(NamedQuery):
    def __call__(
        self,
        *,
        on_duplicate: object | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        on_duplicate: object | None,
    ) -> bytes: ...

class LeadImportRestore(NamedQuery):
    def __call__(self) -> int: ...

class LeadImportRoleWords(NamedQuery):
    def __call__(self) -> Any: ...

class LeadImportRows(NamedQuery):
    def __call__(
        self,
        *,
        result: Sequence[str] | None = None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        result: Sequence[str] | None = None,
    ) -> bytes: ...

class LeadImportRowsFile(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class LeadImportSameAddresses(NamedQuery):
    def __call__(
        self,
        *,
        rows: Sequence[int] | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        rows: Sequence[int] | None,
    ) -> bytes: ...

class LeadImportSeats(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class LeadImportSkip(NamedQuery):
    def __call__(self) -> int: ...

class LeadImportTaken(NamedQuery):
    def __call__(
        self,
        *,
        reason: object | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        reason: object | None,
    ) -> bytes: ...

class LeadImportUpdate(NamedQuery):
    def __call__(self) -> int: ...

class LeadImportsOpen(NamedQuery):
    def __call__(self) -> Any: ...

class LeadImportsPurge(NamedQuery):
    def __call__(self) -> int: ...

class LeadInsert(NamedQuery):
    def __call__(
        self,
        *,
        rows: str | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        rows: str | None,
    ) -> bytes: ...

class LeadLinkEmails(NamedQuery):
    def __call__(
        self,
        *,
        contact_id: int | None,
        company_id: int | None,
        deal_id: int | None,
        id: int | None,
    ) -> int: ...

class LeadLinkNotes(NamedQuery):
    def __call__(
        self,
        *,
        contact_id: int | None,
        company_id: int | None,
        deal_id: int | None,
        id: int | None,
    ) -> int: ...

class LeadLinkTasks(NamedQuery):
    def __call__(
        self,
        *,
        contact_id: int | None,
        company_id: int | None,
        deal_id: int | None,
        id: int | None,
    ) -> int: ...

class LeadList(NamedQuery):
    def __call__(
        self,
        *,
        search: Sequence[str] | None = None,
        tag: Sequence[str] | None = None,
        fields: str | None = None,
        field_min: str | None = None,
        field_max: str | None = None,
        status: Sequence[str] | None = None,
        source: str | None = None,
        external_id: str | None = None,
        email: str | None = None,
        assigned_to: int | None = None,
        user_id: int | None = None,
        date_from: datetime.datetime | str | None = None,
        date_to: datetime.datetime | str | None = None,
        updated_since: datetime.datetime | str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        sort_field: str | None = None,
        limit: int | None,
        offset: int | None,
        scope: str | None = None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        search: Sequence[str] | None = None,
        tag: Sequence[str] | None = None,
        fields: str | None = None,
        field_min: str | None = None,
        field_max: str | None = None,
        status: Sequence[str] | None = None,
        source: str | None = None,
        external_id: str | None = None,
        email: str | None = None,
        assigned_to: int | None = None,
        user_id: int | None = None,
        date_from: datetime.datetime | str | None = None,
        date_to: datetime.datetime | str | None = None,
        updated_since: datetime.datetime | str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        sort_field: str | None = None,
        limit: int | None,
        offset: int | None,
        scope: str | None = None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class LeadLock(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class LeadMatchCompanies(NamedQuery):
    def __call__(
        self,
        *,
        company: str | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        company: str | None,
    ) -> bytes: ...

class LeadMatchContacts(NamedQuery):
    def __call__(
        self,
        *,
        email: str | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        email: str | None,
    ) -> bytes: ...

class LeadQualificationTurn(NamedQuery):
    def __call__(
        self,
        *,
        organization_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        organization_id: int | None,
    ) -> bytes | None: ...

class LeadQualified(NamedQuery):
    def __call__(
        self,
        *,
        contact_id: int | None,
        company_id: int | None,
        deal_id: int | None,
        id: int | None,
    ) -> int: ...

class LeadUpdate(NamedQuery):
    def __call__(
        self,
        *,
        rows: str | None,
    ) -> int: ...

class LoginAccount(NamedQuery):
    def __call__(
        self,
        *,
        email: str | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        email: str | None,
    ) -> bytes | None: ...

class LoginFailed(NamedQuery):
    def __call__(
        self,
        *,
        email: str | None,
        client: str | None,
        address: str | None,
        request_id: str | None = None,
    ) -> Any: ...

class LoginRecorded(NamedQuery):
    def __call__(
        self,
        *,
        session_id: int | None,
        request_id: str | None = None,
    ) -> Any: ...

class LoginRights(NamedQuery):
    def __call__(self) -> Row | None: ...
    def json(self) -> bytes | None: ...

class LoginRoles(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class LoginSettings(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class LoginsKeep(NamedQuery):
    def __call__(self) -> Any: ...

class LoginsPresent(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class MailDaySpend(NamedQuery):
    def __call__(
        self,
        *,
        kind: object | None,
        quota: int | None,
    ) -> Any: ...

class MailDayUsed(NamedQuery):
    def __call__(
        self,
        *,
        kind: object | None,
    ) -> Any: ...

class MailDaysPurge(NamedQuery):
    def __call__(self) -> int: ...

class MailHourEnd(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
        ends_at: datetime.datetime | str | None,
    ) -> int: ...

class MailHourSpend(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        user_id: int | None,
    ) -> bytes | None: ...

class MembershipList(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        user_id: int | None,
    ) -> bytes: ...

class NameClaim(NamedQuery):
    def __call__(
        self,
        *,
        kind: str | None,
        name: str | None,
        organization_id: int | None,
    ) -> Any: ...

class NoteDelete(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
        lead_id: int | None,
        contract_id: int | None,
    ) -> int: ...

class NoteGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
        lead_id: int | None,
        contract_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
        lead_id: int | None,
        contract_id: int | None,
    ) -> bytes | None: ...

class NoteInsert(NamedQuery):
    def __call__(
        self,
        *,
        content: str | None,
        created_by: int | None,
        lead_id: int | None,
        contract_id: int | None,
    ) -> Any: ...

class NoteList(NamedQuery):
    def __call__(
        self,
        *,
        lead_id: int | None = None,
        contract_id: int | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        lead_id: int | None = None,
        contract_id: int | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
    ) -> bytes | None: ...

class NotificationDigest(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
        digest_at: datetime.datetime | str | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        user_id: int | None,
        digest_at: datetime.datetime | str | None,
    ) -> bytes: ...

class NotificationEmailsAbout(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        user_id: int | None,
    ) -> bytes | None: ...

class NotificationEmailsGet(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        user_id: int | None,
    ) -> bytes | None: ...

class NotificationEmailsSet(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
        interviews: bool | None,
        leads: bool | None,
        signatures: bool | None,
        webhooks: bool | None,
    ) -> int: ...

class NotificationGather(NamedQuery):
    def __call__(
        self,
        *,
        digest_at: datetime.datetime | str | None,
        id: int | None,
    ) -> int: ...

class NotificationGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class NotificationInsert(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
        event: object | None,
        effect_key: object | None,
        title: object | None,
        body: object | None,
        data: str | None,
    ) -> Any: ...

class NotificationInterview(NamedQuery):
    def __call__(
        self,
        *,
        invite_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        invite_id: int | None,
    ) -> bytes | None: ...

class NotificationLead(NamedQuery):
    def __call__(
        self,
        *,
        template_id: int | None,
        lead_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        template_id: int | None,
        lead_id: int | None,
    ) -> bytes | None: ...

class NotificationList(NamedQuery):
    def __call__(
        self,
        *,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        unread: bool | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        unread: bool | None = None,
    ) -> bytes | None: ...

class NotificationRead(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class NotificationReadAll(NamedQuery):
    def __call__(self) -> int: ...

class NotificationRecipients(NamedQuery):
    def __call__(
        self,
        *,
        assigned_to: int | None,
        created_by: int | None,
        kind: str | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        assigned_to: int | None,
        created_by: int | None,
        kind: str | None,
    ) -> bytes: ...

class NotificationTold(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes: ...

class OrganizationCurrency(NamedQuery):
    def __call__(self) -> Any: ...

class OrganizationEmail(NamedQuery):
    def __call__(self) -> Any: ...

class OrganizationEnter(NamedQuery):
    def __call__(
        self,
        *,
        request_id: str | None = None,
        organization_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        request_id: str | None = None,
        organization_id: int | None,
    ) -> bytes | None: ...

class OrganizationFind(NamedQuery):
    def __call__(
        self,
        *,
        slug: str | None,
    ) -> Any: ...

class OrganizationGet(NamedQuery):
    def __call__(self) -> Row | None: ...
    def json(self) -> bytes | None: ...

class OrganizationIds(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class OrganizationInsert(NamedQuery):
    def __call__(
        self,
        *,
        name: object | None,
        slug: object | None,
        time_zone: object | None,
        currency: object | None,
        locale: object | None,
    ) -> Any: ...

class OrganizationLetterhead(NamedQuery):
    def __call__(self) -> Row | None: ...
    def json(self) -> bytes | None: ...

class OrganizationSetLogo(NamedQuery):
    def __call__(
        self,
        *,
        file_id: int | None,
    ) -> int: ...

class OrganizationTimeZoneKnown(NamedQuery):
    def __call__(
        self,
        *,
        time_zone: str | None,
    ) -> Any: ...

class OrganizationUpdate(NamedQuery):
    def __call__(
        self,
        *,
        name: object | None,
        slug: object | None,
        time_zone: object | None,
        currency: object | None,
        locale: object | None,
        legal_name: object | None,
        registration_number: object | None,
        vat_id: object | None,
        email: object | None,
        phone: object | None,
        website: object | None,
        street: object | None,
        city: object | None,
        region: object | None,
        postal_code: object | None,
        country: object | None,
        branding: str | None,
    ) -> int: ...

class OutboxBacklog(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class OutboxClaim(NamedQuery):
    def __call__(
        self,
        *,
        seconds: float | None,
        id: int | None,
    ) -> int: ...

class OutboxDone(NamedQuery):
    def __call__(
        self,
        *,
        error: str | None,
        id: int | None,
    ) -> int: ...

class OutboxHold(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class OutboxInsert(NamedQuery):
    def __call__(
        self,
        *,
        due_at: datetime.datetime | str | None = None,
        event: object | None,
        key: object | None,
        payload: str | None,
        request_id: str | None = None,
        traceparent: str | None = None,
        once: bool | None = None,
    ) -> int: ...

class OutboxLease(NamedQuery):
    def __call__(
        self,
        *,
        queue: str | None,
        limit: int | None,
        each: int | None,
        seconds: float | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        queue: str | None,
        limit: int | None,
        each: int | None,
        seconds: float | None,
    ) -> bytes: ...

class OutboxPostpone(NamedQuery):
    def __call__(
        self,
        *,
        error: str | None,
        seconds: float | None,
        id: int | None,
    ) -> int: ...

class OutboxPurge(NamedQuery):
    def __call__(self) -> int: ...

class OutboxTake(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class OverdueEnd(NamedQuery):
    def __call__(self) -> Any: ...

class OwnKeyGet(NamedQuery):
    def __call__(self) -> Row | None: ...
    def json(self) -> bytes | None: ...

class PasswordChange(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
        known_hash: str | None,
        new_hash: str | None,
        session_id: int | None,
    ) -> Any: ...

class PasswordForgot(NamedQuery):
    def __call__(
        self,
        *,
        email: str | None,
        expires_at: datetime.datetime | str | None,
    ) -> Any: ...

class PasswordHash(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
    ) -> Any: ...

class PasswordReset(NamedQuery):
    def __call__(
        self,
        *,
        token_hash: str | None,
        password_hash: str | None,
    ) -> Any: ...

class PersonCompaniesBlank(NamedQuery):
    def __call__(
        self,
        *,
        addresses: Sequence[str] | None,
        phones: Sequence[str] | None,
        patterns: Sequence[str] | None,
        texts: Sequence[str] | None,
        companies: Sequence[int | None] | None,
    ) -> int: ...

class PersonContracts(NamedQuery):
    def __call__(
        self,
        *,
        deals: Sequence[int | None] | None,
        patterns: Sequence[str] | None,
        requests: Sequence[int | None] | None,
        companies: Sequence[int | None] | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        deals: Sequence[int | None] | None,
        patterns: Sequence[str] | None,
        requests: Sequence[int | None] | None,
        companies: Sequence[int | None] | None,
    ) -> bytes: ...

class PersonContractsBlank(NamedQuery):
    def __call__(
        self,
        *,
        patterns: Sequence[str] | None,
        contracts: Sequence[int | None] | None,
    ) -> int: ...

class PersonContractsLock(NamedQuery):
    def __call__(
        self,
        *,
        contracts: Sequence[int | None] | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        contracts: Sequence[int | None] | None,
    ) -> bytes: ...

class PersonCopiesEnd(NamedQuery):
    def __call__(
        self,
        *,
        addresses: Sequence[str] | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        addresses: Sequence[str] | None,
    ) -> bytes: ...

class PersonCorrectionsBlank(NamedQuery):
    def __call__(
        self,
        *,
        corrections: Sequence[int | None] | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        corrections: Sequence[int | None] | None,
    ) -> bytes: ...

class PersonData(NamedQuery):
    def __call__(
        self,
        *,
        leads: Sequence[int | None] | None,
        contacts: Sequence[int | None] | None,
        invites: Sequence[int | None] | None,
        emails: Sequence[int | None] | None,
        deals: Sequence[int | None] | None,
        signers: Sequence[int | None] | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        leads: Sequence[int | None] | None,
        contacts: Sequence[int | None] | None,
        invites: Sequence[int | None] | None,
        emails: Sequence[int | None] | None,
        deals: Sequence[int | None] | None,
        signers: Sequence[int | None] | None,
    ) -> bytes: ...

class PersonDealsRelease(NamedQuery):
    def __call__(
        self,
        *,
        contacts: Sequence[int | None] | None,
        patterns: Sequence[str] | None,
        texts: Sequence[str] | None,
        deals: Sequence[int | None] | None,
    ) -> int: ...

class PersonDocumentsDelete(NamedQuery):
    def __call__(
        self,
        *,
        contracts: Sequence[int | None] | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        contracts: Sequence[int | None] | None,
    ) -> bytes: ...

class PersonEmailsDelete(NamedQuery):
    def __call__(
        self,
        *,
        emails: Sequence[int | None] | None,
    ) -> int: ...

class PersonFind(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class PersonFollowingLock(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class PersonInvitesDelete(NamedQuery):
    def __call__(
        self,
        *,
        invites: Sequence[int | None] | None,
    ) -> int: ...

class PersonLettersDelete(NamedQuery):
    def __call__(
        self,
        *,
        requests: Sequence[int | None] | None,
        patterns: Sequence[str] | None,
    ) -> int: ...

class PersonLock(NamedQuery):
    def __call__(
        self,
        *,
        leads: Sequence[int | None] | None,
        contacts: Sequence[int | None] | None,
        invites: Sequence[int | None] | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        leads: Sequence[int | None] | None,
        contacts: Sequence[int | None] | None,
        invites: Sequence[int | None] | None,
    ) -> bytes | None: ...

class PersonNotesDelete(NamedQuery):
    def __call__(
        self,
        *,
        leads: Sequence[int | None] | None,
        contacts: Sequence[int | None] | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        leads: Sequence[int | None] | None,
        contacts: Sequence[int | None] | None,
    ) -> bytes: ...

class PersonQuotesBlank(NamedQuery):
    def __call__(
        self,
        *,
        patterns: Sequence[str] | None,
        deals: Sequence[int | None] | None,
    ) -> int: ...

class PersonRequests(NamedQuery):
    def __call__(
        self,
        *,
        requests: Sequence[int | None] | None,
        contracts: Sequence[int | None] | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        requests: Sequence[int | None] | None,
        contracts: Sequence[int | None] | None,
    ) -> bytes: ...

class PersonRequestsBlank(NamedQuery):
    def __call__(
        self,
        *,
        patterns: Sequence[str] | None,
        contracts: Sequence[int | None] | None,
        requests: Sequence[int | None] | None,
    ) -> int: ...

class PersonRevisionsBlank(NamedQuery):
    def __call__(
        self,
        *,
        patterns: Sequence[str] | None,
        contracts: Sequence[int | None] | None,
    ) -> int: ...

class PersonSignersDelete(NamedQuery):
    def __call__(
        self,
        *,
        signers: Sequence[int | None] | None,
        requests: Sequence[int | None] | None,
    ) -> int: ...

class PersonTasksDelete(NamedQuery):
    def __call__(
        self,
        *,
        leads: Sequence[int | None] | None,
        contacts: Sequence[int | None] | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        leads: Sequence[int | None] | None,
        contacts: Sequence[int | None] | None,
    ) -> bytes: ...

class PersonWords(NamedQuery):
    def __call__(
        self,
        *,
        leads: Sequence[int | None] | None,
        contacts: Sequence[int | None] | None,
        invites: Sequence[int | None] | None,
        signers: Sequence[int | None] | None,
        corrections: Sequence[int | None] | None,
        addresses: Sequence[str] | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        leads: Sequence[int | None] | None,
        contacts: Sequence[int | None] | None,
        invites: Sequence[int | None] | None,
        signers: Sequence[int | None] | None,
        corrections: Sequence[int | None] | None,
        addresses: Sequence[str] | None,
    ) -> bytes | None: ...

class PictureDelete(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class PictureFile(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class PictureFiles(NamedQuery):
    def __call__(
        self,
        *,
        ids: Sequence[int | None] | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        ids: Sequence[int | None] | None,
    ) -> bytes: ...

class PictureGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class PictureInsert(NamedQuery):
    def __call__(
        self,
        *,
        name: object | None,
        file_id: int | None,
        width: object | None,
        height: object | None,
    ) -> Any: ...

class PictureList(NamedQuery):
    def __call__(
        self,
        *,
        search: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        search: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class PictureUpdate(NamedQuery):
    def __call__(
        self,
        *,
        name: object | None,
        id: int | None,
    ) -> int: ...

class PlacementHolder(NamedQuery):
    def __call__(
        self,
        *,
        kind: str | None,
        key: str | None,
    ) -> Any: ...

class PlacementList(NamedQuery):
    def __call__(
        self,
        *,
        since: datetime.datetime | str | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        since: datetime.datetime | str | None,
    ) -> bytes: ...

class PublicAnswersLock(NamedQuery):
    def __call__(
        self,
        *,
        invite_id: int | None,
    ) -> Any: ...

class PublicAnswersMerge(NamedQuery):
    def __call__(
        self,
        *,
        given: str | None,
        cleared: Sequence[str] | None,
        consents: str | None,
        hidden_fields: str | None,
        step: str | None,
        shown: Sequence[str] | None,
        invite_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        given: str | None,
        cleared: Sequence[str] | None,
        consents: str | None,
        hidden_fields: str | None,
        step: str | None,
        shown: Sequence[str] | None,
        invite_id: int | None,
    ) -> bytes | None: ...

class PublicCaptureGet(NamedQuery):
    def __call__(
        self,
        *,
        logos_url: str | None,
        template_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        logos_url: str | None,
        template_id: int | None,
    ) -> bytes | None: ...

class PublicCaptureId(NamedQuery):
    def __call__(
        self,
        *,
        of: str | None,
    ) -> Any: ...

class PublicCaptureLater(NamedQuery):
    def __call__(
        self,
        *,
        template_id: int | None,
        template_version_id: int | None,
        assigned_to: int | None,
        token: object | None,
        recipient_email: object | None,
        language: object | None,
        answers: str | None,
        consents: str | None,
        hidden_fields: str | None,
        step: object | None,
        shown: Sequence[str] | None,
    ) -> int: ...

class PublicCaptureLead(NamedQuery):
    def __call__(
        self,
        *,
        first_name: object | None,
        last_name: object | None,
        email: object | None,
        phone: object | None,
        company: object | None,
        job_title: object | None,
        notes: object | None,
        tags: object | None,
        fields: str | None,
        assigned_to: int | None,
    ) -> int: ...

class PublicCaptureOpen(NamedQuery):
    def __call__(
        self,
        *,
        request_id: str | None = None,
        slug: str | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        request_id: str | None = None,
        slug: str | None,
    ) -> bytes | None: ...

class PublicCaptureResponse(NamedQuery):
    def __call__(
        self,
        *,
        template_id: int | None,
        template_version_id: int | None,
        token: object | None,
        recipient_email: object | None,
        recipient_name: object | None,
        language: object | None,
        answers: str | None,
        consents: str | None,
        hidden_fields: str | None,
        rep_flags: str | None,
        tally: str | None,
        shown: Sequence[str] | None,
    ) -> int: ...

class PublicCaptureState(NamedQuery):
    def __call__(
        self,
        *,
        template_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        template_id: int | None,
    ) -> bytes | None: ...

class PublicFields(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class PublicFileSame(NamedQuery):
    def __call__(
        self,
        *,
        ids: Sequence[int | None] | None,
        sha256: object | None,
    ) -> Any: ...

class PublicFilesPrune(NamedQuery):
    def __call__(
        self,
        *,
        invite_id: int | None,
    ) -> int: ...

class PublicInterviewGet(NamedQuery):
    def __call__(
        self,
        *,
        logos_url: str | None,
        readable_days: int | None,
        invite_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        logos_url: str | None,
        readable_days: int | None,
        invite_id: int | None,
    ) -> bytes | None: ...

class PublicInterviewOpened(NamedQuery):
    def __call__(
        self,
        *,
        invite_id: int | None,
    ) -> int: ...

class PublicInterviewSubmit(NamedQuery):
    def __call__(
        self,
        *,
        answers: str | None,
        rep_flags: str | None,
        lead_id: int | None,
        tally: str | None,
        shown: Sequence[str] | None,
        invite_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        answers: str | None,
        rep_flags: str | None,
        lead_id: int | None,
        tally: str | None,
        shown: Sequence[str] | None,
        invite_id: int | None,
    ) -> bytes | None: ...

class PublicInviteEnter(NamedQuery):
    def __call__(
        self,
        *,
        token: str | None,
        request_id: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        token: str | None,
        request_id: str | None = None,
    ) -> bytes | None: ...

class PublicInviteOpen(NamedQuery):
    def __call__(
        self,
        *,
        token: str | None,
        request_id: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        token: str | None,
        request_id: str | None = None,
    ) -> bytes | None: ...

class PublicInviteStatus(NamedQuery):
    def __call__(
        self,
        *,
        invite_id: int | None,
    ) -> Any: ...

class PublicPreviewOpen(NamedQuery):
    def __call__(
        self,
        *,
        template_id: int | None,
        request_id: str | None = None,
        organization_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        template_id: int | None,
        request_id: str | None = None,
        organization_id: int | None,
    ) -> bytes | None: ...

class PublicRemindersDecline(NamedQuery):
    def __call__(
        self,
        *,
        invite_id: int | None,
    ) -> int: ...

class PublicSigningAsk(NamedQuery):
    def __call__(
        self,
        *,
        browser_hash: str | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        browser_hash: str | None,
    ) -> bytes | None: ...

class PublicSigningCode(NamedQuery):
    def __call__(
        self,
        *,
        code: str | None,
        browser_hash: str | None,
    ) -> Any: ...

class PublicSigningComplete(NamedQuery):
    def __call__(
        self,
        *,
        request_id: int | None = None,
    ) -> int: ...

class PublicSigningDecline(NamedQuery):
    def __call__(
        self,
        *,
        reason: object | None,
        address: object | None,
        user_agent: object | None,
        signer_id: int | None,
    ) -> int: ...

class PublicSigningEnter(NamedQuery):
    def __call__(
        self,
        *,
        token_hash: str | None,
        secret: str | None,
        request_id: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        token_hash: str | None,
        secret: str | None,
        request_id: str | None = None,
    ) -> bytes | None: ...

class PublicSigningGet(NamedQuery):
    def __call__(
        self,
        *,
        copy_days: int | None,
        signer_id: int | None,
        request_id: int | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        copy_days: int | None,
        signer_id: int | None,
        request_id: int | None = None,
    ) -> bytes | None: ...

class PublicSigningLock(NamedQuery):
    def __call__(
        self,
        *,
        request_id: int | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        request_id: int | None = None,
    ) -> bytes | None: ...

class PublicSigningPicture(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class PublicSigningSign(NamedQuery):
    def __call__(
        self,
        *,
        kind: object | None,
        text: object | None,
        drawing: bytes | None,
        consent: object | None,
        consent_language: object | None,
        address: object | None,
        user_agent: object | None,
        signer_id: int | None,
    ) -> int: ...

class PublicSigningState(NamedQuery):
    def __call__(
        self,
        *,
        copy_days: int | None,
        typed: str | None = None,
        signer_id: int | None,
        request_id: int | None = None,
        intact: bool | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        copy_days: int | None,
        typed: str | None = None,
        signer_id: int | None,
        request_id: int | None = None,
        intact: bool | None = None,
    ) -> bytes | None: ...

class PublicSigningViewed(NamedQuery):
    def __call__(
        self,
        *,
        signer_id: int | None,
    ) -> int: ...

class QuoteDelete(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class QuoteGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class QuoteInsert(NamedQuery):
    def __call__(
        self,
        *,
        quote_date: object | None,
        valid_until: object | None,
        currency: object | None,
        payment_terms: object | None,
        notes: object | None,
        external_id: object | None,
        deal_id: int | None,
        quote_number: object | None,
        status: str | None,
        discount_total: object | None,
        tax_total: object | None,
    ) -> Any: ...

class QuoteLineClear(NamedQuery):
    def __call__(
        self,
        *,
        quote_id: int | None,
    ) -> int: ...

class QuoteLineInsert(NamedQuery):
    def __call__(
        self,
        *,
        quote_id: int | None,
        lines: str | None,
    ) -> int: ...

class QuoteList(NamedQuery):
    def __call__(
        self,
        *,
        search: Sequence[str] | None = None,
        external_id: str | None = None,
        deal_id: int | None = None,
        status: Sequence[str] | None = None,
        updated_since: datetime.datetime | str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        search: Sequence[str] | None = None,
        external_id: str | None = None,
        deal_id: int | None = None,
        status: Sequence[str] | None = None,
        updated_since: datetime.datetime | str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class QuoteLock(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class QuoteNumberLock(NamedQuery):
    def __call__(self) -> Row | None: ...
    def json(self) -> bytes | None: ...

class QuoteNumberNext(NamedQuery):
    def __call__(self) -> Any: ...

class QuoteSums(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class QuoteUpdate(NamedQuery):
    def __call__(
        self,
        *,
        quote_date: object | None,
        valid_until: object | None,
        currency: object | None,
        payment_terms: object | None,
        notes: object | None,
        external_id: object | None,
        deal_id: int | None,
        quote_number: str | None,
        status: str | None,
        discount_total: object | None,
        tax_total: object | None,
        has_other_lines: bool | None,
        id: int | None,
    ) -> int: ...

class RecordCountsFold(NamedQuery):
    def __call__(self) -> int: ...

class ReferencesMissing(NamedQuery):
    def __call__(
        self,
        *,
        named: str | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        named: str | None,
    ) -> bytes: ...

class RefreshTokenRotate(NamedQuery):
    def __call__(
        self,
        *,
        token_hash: str | None,
        new_token_hash: str | None,
        expires_at: datetime.datetime | str | None,
        session_id: int | None,
        organization_id: int | None,
        family_hash: str | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        token_hash: str | None,
        new_token_hash: str | None,
        expires_at: datetime.datetime | str | None,
        session_id: int | None,
        organization_id: int | None,
        family_hash: str | None,
    ) -> bytes | None: ...

class ResetLinksEnd(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
    ) -> Any: ...

class RoleEnter(NamedQuery):
    def __call__(
        self,
        *,
        role: str | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        role: str | None,
    ) -> bytes | None: ...

class SchemaParts(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class SearchOnly(NamedQuery):
    def __call__(
        self,
        *,
        schema: str | None,
    ) -> Any: ...

class SeatChoose(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
        organization_id: int | None,
    ) -> Any: ...

class SeatDelete(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
    ) -> int: ...

class SeatFind(NamedQuery):
    def __call__(
        self,
        *,
        email: str | None = None,
        role: str | None = None,
        slug: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        email: str | None = None,
        role: str | None = None,
        slug: str | None = None,
    ) -> bytes | None: ...

class SeatGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class SeatList(NamedQuery):
    def __call__(
        self,
        *,
        active: bool | None = None,
        email: str | None = None,
        search: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        active: bool | None = None,
        email: str | None = None,
        search: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class SeatLockAdmins(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class SeatPut(NamedQuery):
    def __call__(
        self,
        *,
        organization_id: int | None,
        user_id: int | None,
        role: object | None,
    ) -> int: ...

class SeatUpdate(NamedQuery):
    def __call__(
        self,
        *,
        role: str | None,
        seat_active: bool | None,
        team_id: int | None,
        user_id: int | None,
    ) -> int: ...

class SessionArrived(NamedQuery):
    def __call__(
        self,
        *,
        session_id: int | None,
    ) -> Any: ...

class SessionEnd(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
        session_id: int | None,
    ) -> Any: ...

class SessionList(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        session_id: int | None,
        limit: int | None,
        offset: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        user_id: int | None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        session_id: int | None,
        limit: int | None,
        offset: int | None,
    ) -> bytes | None: ...

class SessionLogout(NamedQuery):
    def __call__(
        self,
        *,
        token_hash: str | None,
        family_hash: str | None,
    ) -> Any: ...

class SessionOpen(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
        organization_id: int | None,
        seconds: float | None,
    ) -> Any: ...

class SessionStart(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
        password_hash: str | None,
        organization_id: int | None,
        client: str | None,
        address: str | None,
        expires_at: datetime.datetime | str | None,
        token_hash: str | None,
        token_expires_at: datetime.datetime | str | None,
        family_hash: str | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        user_id: int | None,
        password_hash: str | None,
        organization_id: int | None,
        client: str | None,
        address: str | None,
        expires_at: datetime.datetime | str | None,
        token_hash: str | None,
        token_expires_at: datetime.datetime | str | None,
        family_hash: str | None,
    ) -> bytes | None: ...

class SessionsEnd(NamedQuery):
    def __call__(
        self,
        *,
        user_id: int | None,
        kept_id: int | None,
    ) -> Any: ...

class SessionsPurge(NamedQuery):
    def __call__(self) -> Any: ...

class SignatureCallAgain(NamedQuery):
    def __call__(
        self,
        *,
        request_id: int | None = None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        request_id: int | None = None,
    ) -> bytes: ...

class SignatureComplete(NamedQuery):
    def __call__(
        self,
        *,
        file_id: int | None,
        seal: str | None,
        request_id: int | None = None,
    ) -> int: ...

class SignatureCorrectionInsert(NamedQuery):
    def __call__(
        self,
        *,
        request_id: int | None = None,
        signer_id: int | None,
        corrections: str | None,
    ) -> int: ...

class SignatureDocument(NamedQuery):
    def __call__(
        self,
        *,
        contract_id: int | None,
    ) -> Any: ...

class SignatureEmail(NamedQuery):
    def __call__(
        self,
        *,
        copy_days: int | None,
        signer_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        copy_days: int | None,
        signer_id: int | None,
    ) -> bytes | None: ...

class SignatureEnding(NamedQuery):
    def __call__(
        self,
        *,
        request_id: int | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        request_id: int | None = None,
    ) -> bytes | None: ...

class SignatureEventByMember(NamedQuery):
    def __call__(
        self,
        *,
        request_id: int | None = None,
        event: object | None,
    ) -> int: ...

class SignatureEventInsert(NamedQuery):
    def __call__(
        self,
        *,
        address: str | None = None,
        user_agent: str | None = None,
        request_id: int | None = None,
        signer_id: int | None,
        event: object | None,
    ) -> int: ...

class SignatureNamePrinted(NamedQuery):
    def __call__(
        self,
        *,
        printed: Sequence[str] | None,
        name: str | None,
    ) -> Any: ...

class SignatureParties(NamedQuery):
    def __call__(
        self,
        *,
        contract_id: int | None,
        revision: int | None,
        content_sha256: object | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        contract_id: int | None,
        revision: int | None,
        content_sha256: object | None,
    ) -> bytes: ...

class SignatureRecord(NamedQuery):
    def __call__(
        self,
        *,
        contract_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        contract_id: int | None,
    ) -> bytes | None: ...

class SignatureRemind(NamedQuery):
    def __call__(
        self,
        *,
        request_id: int | None = None,
        signer_id: int | None = None,
        sent_at: datetime.datetime | str | None = None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        request_id: int | None = None,
        signer_id: int | None = None,
        sent_at: datetime.datetime | str | None = None,
    ) -> bytes: ...

class SignatureRequestEnd(NamedQuery):
    def __call__(
        self,
        *,
        status: object | None,
        id: int | None,
    ) -> int: ...

class SignatureRequestGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
        contract_id: int | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
        contract_id: int | None = None,
    ) -> bytes | None: ...

class SignatureRequestInsert(NamedQuery):
    def __call__(
        self,
        *,
        contract_id: int | None,
        revision: int | None,
        document_file_id: int | None,
        document_sha256: object | None,
        content_sha256: object | None,
        reading_copy: object | None,
        message: object | None,
        language: object | None,
        verify_email: bool | None,
        complete_without: Sequence[str] | None,
        warnings: str | None,
        cc: Sequence[str] | None,
        reminders: Sequence[int] | None,
        organization_name: object | None,
        organization_slug: object | None,
        legal_name: object | None,
        time_zone: object | None,
        expires_in_days: int | None,
        created_by: int | None,
    ) -> Any: ...

class SignatureRequestList(NamedQuery):
    def __call__(
        self,
        *,
        contract_id: int | None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        contract_id: int | None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
    ) -> bytes | None: ...

class SignatureRequestLock(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
        contract_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
        contract_id: int | None,
    ) -> bytes | None: ...

class SignatureRequestOpen(NamedQuery):
    def __call__(
        self,
        *,
        contract_id: int | None,
    ) -> Any: ...

class SignatureSealAgain(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class SignatureSealFailed(NamedQuery):
    def __call__(
        self,
        *,
        error: object | None,
        request_id: int | None = None,
    ) -> int: ...

class SignatureSealLock(NamedQuery):
    def __call__(
        self,
        *,
        request_id: int | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        request_id: int | None = None,
    ) -> bytes | None: ...

class SignatureSigned(NamedQuery):
    def __call__(
        self,
        *,
        request_id: int | None = None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        request_id: int | None = None,
    ) -> bytes: ...

class SignatureSignerCorrect(NamedQuery):
    def __call__(
        self,
        *,
        name: object | None,
        title: object | None,
        email: object | None,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        name: object | None,
        title: object | None,
        email: object | None,
        id: int | None,
    ) -> bytes | None: ...

class SignatureSignerGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
        request_id: int | None = None,
        contract_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
        request_id: int | None = None,
        contract_id: int | None,
    ) -> bytes | None: ...

class SignatureSignerInsert(NamedQuery):
    def __call__(
        self,
        *,
        request_id: int | None = None,
        name: object | None,
        title: object | None,
        email: object | None,
        party: object | None,
        turn: int | None,
    ) -> Any: ...

class SignatureSource(NamedQuery):
    def __call__(
        self,
        *,
        contract_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        contract_id: int | None,
    ) -> bytes | None: ...

class SignatureTold(NamedQuery):
    def __call__(
        self,
        *,
        request_id: int | None = None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        request_id: int | None = None,
    ) -> bytes: ...

class SignatureTurn(NamedQuery):
    def __call__(
        self,
        *,
        request_id: int | None = None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        request_id: int | None = None,
    ) -> bytes: ...

class SignaturesExpire(NamedQuery):
    def __call__(
        self,
        *,
        contract_id: int | None,
    ) -> Any: ...

class SnapshotBegin(NamedQuery):
    def __call__(self) -> Any: ...

class StatisticsStale(NamedQuery):
    def __call__(
        self,
        *,
        least: int | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        least: int | None,
    ) -> bytes: ...

class TableNames(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class TableSizes(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class TablesHeld(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class TablesUnconfined(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class TaskDelete(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
        lead_id: int | None,
        contract_id: int | None,
    ) -> int: ...

class TaskGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
        lead_id: int | None,
        contract_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
        lead_id: int | None,
        contract_id: int | None,
    ) -> bytes | None: ...

class TaskInsert(NamedQuery):
    def __call__(
        self,
        *,
        title: object | None,
        description: object | None,
        due_date: object | None,
        due_time: object | None,
        priority: object | None,
        assigned_to: object | None,
        contact_id: int | None,
        company_id: int | None,
        deal_id: int | None,
        created_by: int | None,
        lead_id: int | None,
        contract_id: int | None,
    ) -> Any: ...

class TaskList(NamedQuery):
    def __call__(
        self,
        *,
        lead_id: int | None = None,
        contract_id: int | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        lead_id: int | None = None,
        contract_id: int | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
    ) -> bytes | None: ...

class TaskUpdate(NamedQuery):
    def __call__(
        self,
        *,
        title: object | None,
        description: object | None,
        due_date: object | None,
        due_time: object | None,
        priority: object | None,
        assigned_to: object | None,
        contact_id: int | None,
        company_id: int | None,
        deal_id: int | None,
        id: int | None,
        lead_id: int | None,
        contract_id: int | None,
    ) -> int: ...

class TeamDelete(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class TeamGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class TeamInsert(NamedQuery):
    def __call__(
        self,
        *,
        name: object | None,
    ) -> Any: ...

class TeamList(NamedQuery):
    def __call__(
        self,
        *,
        search: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        search: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class TeamUpdate(NamedQuery):
    def __call__(
        self,
        *,
        name: object | None,
        id: int | None,
    ) -> int: ...

class TracesErase(NamedQuery):
    def __call__(
        self,
        *,
        leads: Sequence[int | None] | None,
        invites: Sequence[int | None] | None,
        emails: Sequence[int | None] | None,
        requests: Sequence[int | None] | None,
        paths: Sequence[str] | None,
        words: Sequence[str] | None,
        sought: Sequence[str] | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        leads: Sequence[int | None] | None,
        invites: Sequence[int | None] | None,
        emails: Sequence[int | None] | None,
        requests: Sequence[int | None] | None,
        paths: Sequence[str] | None,
        words: Sequence[str] | None,
        sought: Sequence[str] | None,
    ) -> bytes | None: ...

class TransferPatience(NamedQuery):
    def __call__(self) -> Row | None: ...
    def json(self) -> bytes | None: ...

class UserFind(NamedQuery):
    def __call__(
        self,
        *,
        email: str | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        email: str | None,
    ) -> bytes | None: ...

class UserGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class UserList(NamedQuery):
    def __call__(
        self,
        *,
        role: Sequence[str] | None = None,
        status: Sequence[str] | None = None,
        seat_active: bool | None = None,
        team_id: int | None = None,
        search: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        role: Sequence[str] | None = None,
        status: Sequence[str] | None = None,
        seat_active: bool | None = None,
        team_id: int | None = None,
        search: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class UserPut(NamedQuery):
    def __call__(
        self,
        *,
        name: object | None,
        email: object | None,
    ) -> Any: ...

class UserSetPassword(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
        password_hash: str | None,
    ) -> Any: ...

class WebhookChanges(NamedQuery):
    def __call__(
        self,
        *,
        since_offset: int | None,
        since: object | None,
        after_transaction: int | None,
        after_id: int | None,
        limit: int | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        since_offset: int | None,
        since: object | None,
        after_transaction: int | None,
        after_id: int | None,
        limit: int | None,
    ) -> bytes: ...

class WebhookCount(NamedQuery):
    def __call__(self) -> Any: ...

class WebhookDelete(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class WebhookDeliveriesPurge(NamedQuery):
    def __call__(self) -> int: ...

class WebhookDeliveryAdvance(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class WebhookDeliveryClaim(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class WebhookDeliveryGet(NamedQuery):
    def __call__(
        self,
        *,
        events: Sequence[str] | None,
        webhook_id: int | None,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        events: Sequence[str] | None,
        webhook_id: int | None,
        id: int | None,
    ) -> bytes | None: ...

class WebhookDeliveryInsert(NamedQuery):
    def __call__(
        self,
        *,
        webhook_id: int | None,
        event: object | None,
        record_type: object | None,
        record_id: int | None,
        request_id: str | None = None,
        body: object | None,
    ) -> Any: ...

class WebhookDeliveryKept(NamedQuery):
    def __call__(
        self,
        *,
        webhook_id: int | None,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        webhook_id: int | None,
        id: int | None,
    ) -> bytes | None: ...

class WebhookDeliveryList(NamedQuery):
    def __call__(
        self,
        *,
        webhook_id: int | None,
        status: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        webhook_id: int | None,
        status: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
    ) -> bytes | None: ...

class WebhookDeliveryNoted(NamedQuery):
    def __call__(
        self,
        *,
        error: str | None,
        seconds: float | None,
        code: int | None,
        duration_ms: int | None,
        started_at: datetime.datetime | str | None,
        answer: str | None,
        id: int | None,
    ) -> int: ...

class WebhookDeliveryReopen(NamedQuery):
    def __call__(
        self,
        *,
        webhook_id: int | None,
        id: int | None,
    ) -> int: ...

class WebhookFails(NamedQuery):
    def __call__(
        self,
        *,
        webhook_id: int | None,
        days: int | None,
    ) -> Any: ...

class WebhookFollow(NamedQuery):
    def __call__(
        self,
        *,
        webhook_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        webhook_id: int | None,
    ) -> bytes | None: ...

class WebhookFollowed(NamedQuery):
    def __call__(
        self,
        *,
        after_transaction: int | None,
        after_id: int | None,
        webhook_id: int | None,
    ) -> int: ...

class WebhookGet(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class WebhookInsert(NamedQuery):
    def __call__(
        self,
        *,
        saved_by: int | None,
        url: object | None,
        events: object | None,
        description: object | None,
        active: object | None,
    ) -> Any: ...

class WebhookLease(NamedQuery):
    def __call__(
        self,
        *,
        limit: int | None,
        each: int | None,
        seconds: float | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        limit: int | None,
        each: int | None,
        seconds: float | None,
    ) -> bytes: ...

class WebhookList(NamedQuery):
    def __call__(
        self,
        *,
        active: bool | None = None,
        search: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        active: bool | None = None,
        search: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class WebhookLock(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class WebhookPause(NamedQuery):
    def __call__(
        self,
        *,
        reason: object | None,
        id: int | None,
        url: str | None = None,
    ) -> int: ...

class WebhookPaused(NamedQuery):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        id: int | None,
    ) -> bytes | None: ...

class WebhookRests(NamedQuery):
    def __call__(
        self,
        *,
        seconds: float | None,
        webhook_id: int | None,
    ) -> int: ...

class WebhookSecretInsert(NamedQuery):
    def __call__(
        self,
        *,
        webhook_id: int | None,
        secret: object | None,
    ) -> int: ...

class WebhookSecretRetire(NamedQuery):
    def __call__(
        self,
        *,
        webhook_id: int | None,
        hours: int | None,
    ) -> int: ...

class WebhookSecretsSigning(NamedQuery):
    def __call__(
        self,
        *,
        webhook_id: int | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        webhook_id: int | None,
    ) -> bytes: ...

class WebhookStateBegin(NamedQuery):
    def __call__(
        self,
        *,
        webhook_id: int | None,
    ) -> int: ...

class WebhookSucceeds(NamedQuery):
    def __call__(
        self,
        *,
        webhook_id: int | None,
    ) -> int: ...

class WebhookUpdate(NamedQuery):
    def __call__(
        self,
        *,
        active: object | None,
        saved_by: int | None,
        url: object | None,
        events: object | None,
        description: object | None,
        id: int | None,
    ) -> int: ...

class WebhooksBehind(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class WebhooksCounted(NamedQuery):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class Queries:
    reload: bool
    def __init__(self, folder: Path = ..., reload: bool = ...) -> None: ...
    def __iter__(self) -> Iterator[NamedQuery]: ...
    def renew(self, check: Callable[[dict[str, SqlStatement]], object]) -> None: ...
    def bound(self) -> ConnectionContext: ...
    def connection(self) -> Connection[Row]: ...
    def database(self) -> tuple[bytes, bytes, bytes]: ...
    def bind(self, connection: Connection[Any] | None) -> None: ...
    def on(self, connection: Connection[Any]) -> AbstractContextManager[Connection[Any]]: ...
    account_get: AccountGet
    account_link: AccountLink
    account_link_mail: AccountLinkMail
    account_make: AccountMake
    account_rename: AccountRename
    accounts_doubtful: AccountsDoubtful
    api_key_delete: ApiKeyDelete
    api_key_get: ApiKeyGet
    api_key_insert: ApiKeyInsert
    api_key_list: ApiKeyList
    api_key_update: ApiKeyUpdate
    api_key_used: ApiKeyUsed
    audit_export: AuditExport
    audit_list: AuditList
    authenticate: Authenticate
    authenticate_key: AuthenticateKey
    backend_number: BackendNumber
    bounce_enter: BounceEnter
    bounce_has_organization: BounceHasOrganization
    capture_draft_delete: CaptureDraftDelete
    capture_draft_find: CaptureDraftFind
    capture_draft_forget: CaptureDraftForget
    capture_draft_hand_over: CaptureDraftHandOver
    capture_draft_lock: CaptureDraftLock
    capture_draft_open: CaptureDraftOpen
    capture_draft_save: CaptureDraftSave
    capture_draft_submitted: CaptureDraftSubmitted
    capture_drafts_purge: CaptureDraftsPurge
    capture_files_prune: CaptureFilesPrune
    cell_beat: CellBeat
    change_feed: ChangeFeed
    change_feed_end: ChangeFeedEnd
    changes_erase: ChangesErase
    changes_purge: ChangesPurge
    changes_renumber: ChangesRenumber
    clause_contents: ClauseContents
    clause_delete: ClauseDelete
    clause_get: ClauseGet
    clause_insert: ClauseInsert
    clause_keys: ClauseKeys
    clause_list: ClauseList
    clause_update: ClauseUpdate
    clauses_hold: ClausesHold
    company_batch_lock: CompanyBatchLock
    company_delete: CompanyDelete
    company_get: CompanyGet
    company_insert: CompanyInsert
    company_list: CompanyList
    company_update: CompanyUpdate
    configuration_delete: ConfigurationDelete
    configuration_get: ConfigurationGet
    configuration_insert: ConfigurationInsert
    configuration_list: ConfigurationList
    configuration_seed_state: ConfigurationSeedState
    configuration_update: ConfigurationUpdate
    configurator_definition_by_slug: ConfiguratorDefinitionBySlug
    configurator_definition_choices: ConfiguratorDefinitionChoices
    configurator_definition_delete: ConfiguratorDefinitionDelete
    configurator_definition_get: ConfiguratorDefinitionGet
    configurator_definition_insert: ConfiguratorDefinitionInsert
    configurator_definition_list: ConfiguratorDefinitionList
    configurator_definition_update: ConfiguratorDefinitionUpdate
    contact_batch_lock: ContactBatchLock
    contact_delete: ContactDelete
    contact_get: ContactGet
    contact_insert: ContactInsert
    contact_list: ContactList
    contact_update: ContactUpdate
    contract_delete: ContractDelete
    contract_document: ContractDocument
    contract_document_insert: ContractDocumentInsert
    contract_document_lock: ContractDocumentLock
    contract_document_source: ContractDocumentSource
    contract_draft_source: ContractDraftSource
    contract_execute: ContractExecute
    contract_executed_file: ContractExecutedFile
    contract_files: ContractFiles
    contract_get: ContractGet
    contract_insert: ContractInsert
    contract_is_converted: ContractIsConverted
    contract_list: ContractList
    contract_lock: ContractLock
    contract_move: ContractMove
    contract_name_outside: ContractNameOutside
    contract_number: ContractNumber
    contract_number_take: ContractNumberTake
    contract_patience: ContractPatience
    contract_redline_source: ContractRedlineSource
    contract_refuse: ContractRefuse
    contract_revision_lock: ContractRevisionLock
    contract_sealed_by: ContractSealedBy
    contract_sources: ContractSources
    contract_template_delete: ContractTemplateDelete
    contract_template_get: ContractTemplateGet
    contract_template_insert: ContractTemplateInsert
    contract_template_list: ContractTemplateList
    contract_template_lock: ContractTemplateLock
    contract_template_schedules: ContractTemplateSchedules
    contract_template_set_logo: ContractTemplateSetLogo
    contract_template_set_word: ContractTemplateSetWord
    contract_template_update: ContractTemplateUpdate
    contract_template_word: ContractTemplateWord
    contract_template_word_file: ContractTemplateWordFile
    contract_unexecute: ContractUnexecute
    contract_update: ContractUpdate
    contracts_expire: ContractsExpire
    databases_left: DatabasesLeft
    deal_batch_lock: DealBatchLock
    deal_currency: DealCurrency
    deal_delete: DealDelete
    deal_get: DealGet
    deal_insert: DealInsert
    deal_list: DealList
    deal_stage_delete: DealStageDelete
    deal_stage_get: DealStageGet
    deal_stage_insert: DealStageInsert
    deal_stage_list: DealStageList
    deal_stage_update: DealStageUpdate
    deal_update: DealUpdate
    email_asked_today: EmailAskedToday
    email_bounce: EmailBounce
    email_claim: EmailClaim
    email_get: EmailGet
    email_insert: EmailInsert
    email_release: EmailRelease
    email_remind: EmailRemind
    email_secret_issue: EmailSecretIssue
    email_secret_keep: EmailSecretKeep
    email_settle: EmailSettle
    email_settle_invite: EmailSettleInvite
    email_settle_signer: EmailSettleSigner
    email_signer_lock: EmailSignerLock
    email_transmitting: EmailTransmitting
    erasure_lock: ErasureLock
    export_recorded: ExportRecorded
    extension_names: ExtensionNames
    field_definitions: FieldDefinitions
    field_delete: FieldDelete
    field_get: FieldGet
    field_insert: FieldInsert
    field_list: FieldList
    field_tags: FieldTags
    field_update: FieldUpdate
    file_chunk_get: FileChunkGet
    file_chunk_insert: FileChunkInsert
    file_delete: FileDelete
    file_get: FileGet
    file_insert: FileInsert
    file_organization_logo: FileOrganizationLogo
    file_storage_total: FileStorageTotal
    file_storage_use: FileStorageUse
    files_damaged: FilesDamaged
    foreign_objects: ForeignObjects
    form_answers_about: FormAnswersAbout
    form_answers_enter: FormAnswersEnter
    form_logo_content: FormLogoContent
    form_look: FormLook
    form_responses: FormResponses
    form_surroundings: FormSurroundings
    form_versions_answered: FormVersionsAnswered
    health_probe: HealthProbe
    health_probe_patience: HealthProbePatience
    idempotency_find: IdempotencyFind
    idempotency_forget: IdempotencyForget
    idempotency_keep: IdempotencyKeep
    idempotency_keys_purge: IdempotencyKeysPurge
    idempotency_lock: IdempotencyLock
    indexes_leaky: IndexesLeaky
    interview_copy_refused: InterviewCopyRefused
    interview_invite_email: InterviewInviteEmail
    interview_invite_expire: InterviewInviteExpire
    interview_invite_get: InterviewInviteGet
    interview_invite_insert: InterviewInviteInsert
    interview_invite_list: InterviewInviteList
    interview_invite_not_mailed: InterviewInviteNotMailed
    interview_invite_renew: InterviewInviteRenew
    interview_invite_requeue: InterviewInviteRequeue
    interview_responses_get: InterviewResponsesGet
    interview_tallies_fold: InterviewTalliesFold
    interview_template_add_version: InterviewTemplateAddVersion
    interview_template_delete: InterviewTemplateDelete
    interview_template_facts: InterviewTemplateFacts
    interview_template_get: InterviewTemplateGet
    interview_template_insert: InterviewTemplateInsert
    interview_template_languages: InterviewTemplateLanguages
    interview_template_list: InterviewTemplateList
    interview_template_overdue: InterviewTemplateOverdue
    interview_template_parts: InterviewTemplateParts
    interview_template_update: InterviewTemplateUpdate
    interview_version_get: InterviewVersionGet
    invitation_activate: InvitationActivate
    invitation_answer: InvitationAnswer
    invitation_decline: InvitationDecline
    invitation_delete: InvitationDelete
    invitation_get: InvitationGet
    invitation_insert: InvitationInsert
    invitation_join: InvitationJoin
    invitation_send: InvitationSend
    invitation_update: InvitationUpdate
    invitation_withdraw: InvitationWithdraw
    invitations_of: InvitationsOf
    invitations_purge: InvitationsPurge
    invite_emails: InviteEmails
    invite_token_newest: InviteTokenNewest
    invites_expire: InvitesExpire
    keys_taken: KeysTaken
    lead_batch_lock: LeadBatchLock
    lead_company_fill: LeadCompanyFill
    lead_company_find: LeadCompanyFind
    lead_contact_employ: LeadContactEmploy
    lead_contact_fill: LeadContactFill
    lead_contact_find: LeadContactFind
    lead_contact_insert: LeadContactInsert
    lead_days: LeadDays
    lead_deal_stage: LeadDealStage
    lead_delete: LeadDelete
    lead_disqualify: LeadDisqualify
    lead_duplicate_list: LeadDuplicateList
    lead_email_list: LeadEmailList
    lead_export: LeadExport
    lead_get: LeadGet
    lead_import_accept: LeadImportAccept
    lead_import_analyze: LeadImportAnalyze
    lead_import_begin: LeadImportBegin
    lead_import_begin_results: LeadImportBeginResults
    lead_import_begin_task: LeadImportBeginTask
    lead_import_call: LeadImportCall
    lead_import_compare: LeadImportCompare
    lead_import_conclude: LeadImportConclude
    lead_import_copy: LeadImportCopy
    lead_import_counts: LeadImportCounts
    lead_import_end: LeadImportEnd
    lead_import_fill: LeadImportFill
    lead_import_fold: LeadImportFold
    lead_import_fold_fields: LeadImportFoldFields
    lead_import_follow: LeadImportFollow
    lead_import_get: LeadImportGet
    lead_import_group: LeadImportGroup
    lead_import_group_names: LeadImportGroupNames
    lead_import_hold: LeadImportHold
    lead_import_insert: LeadImportInsert
    lead_import_keep: LeadImportKeep
    lead_import_listed: LeadImportListed
    lead_import_lock: LeadImportLock
    lead_import_match_emails: LeadImportMatchEmails
    lead_import_match_external_ids: LeadImportMatchExternalIds
    lead_import_match_ids: LeadImportMatchIds
    lead_import_match_names: LeadImportMatchNames
    lead_import_nameless: LeadImportNameless
    lead_import_progress: LeadImportProgress
    lead_import_refuse: LeadImportRefuse
    lead_import_restore: LeadImportRestore
    lead_import_role_words: LeadImportRoleWords
    lead_import_rows: LeadImportRows
    lead_import_rows_file: LeadImportRowsFile
    lead_import_same_addresses: LeadImportSameAddresses
    lead_import_seats: LeadImportSeats
    lead_import_skip: LeadImportSkip
    lead_import_taken: LeadImportTaken
    lead_import_update: LeadImportUpdate
    lead_imports_open: LeadImportsOpen
    lead_imports_purge: LeadImportsPurge
    lead_insert: LeadInsert
    lead_link_emails: LeadLinkEmails
    lead_link_notes: LeadLinkNotes
    lead_link_tasks: LeadLinkTasks
    lead_list: LeadList
    lead_lock: LeadLock
    lead_match_companies: LeadMatchCompanies
    lead_match_contacts: LeadMatchContacts
    lead_qualification_turn: LeadQualificationTurn
    lead_qualified: LeadQualified
    lead_update: LeadUpdate
    login_account: LoginAccount
    login_failed: LoginFailed
    login_recorded: LoginRecorded
    login_rights: LoginRights
    login_roles: LoginRoles
    login_settings: LoginSettings
    logins_keep: LoginsKeep
    logins_present: LoginsPresent
    mail_day_spend: MailDaySpend
    mail_day_used: MailDayUsed
    mail_days_purge: MailDaysPurge
    mail_hour_end: MailHourEnd
    mail_hour_spend: MailHourSpend
    membership_list: MembershipList
    name_claim: NameClaim
    note_delete: NoteDelete
    note_get: NoteGet
    note_insert: NoteInsert
    note_list: NoteList
    notification_digest: NotificationDigest
    notification_emails_about: NotificationEmailsAbout
    notification_emails_get: NotificationEmailsGet
    notification_emails_set: NotificationEmailsSet
    notification_gather: NotificationGather
    notification_get: NotificationGet
    notification_insert: NotificationInsert
    notification_interview: NotificationInterview
    notification_lead: NotificationLead
    notification_list: NotificationList
    notification_read: NotificationRead
    notification_read_all: NotificationReadAll
    notification_recipients: NotificationRecipients
    notification_told: NotificationTold
    organization_currency: OrganizationCurrency
    organization_email: OrganizationEmail
    organization_enter: OrganizationEnter
    organization_find: OrganizationFind
    organization_get: OrganizationGet
    organization_ids: OrganizationIds
    organization_insert: OrganizationInsert
    organization_letterhead: OrganizationLetterhead
    organization_set_logo: OrganizationSetLogo
    organization_time_zone_known: OrganizationTimeZoneKnown
    organization_update: OrganizationUpdate
    outbox_backlog: OutboxBacklog
    outbox_claim: OutboxClaim
    outbox_done: OutboxDone
    outbox_hold: OutboxHold
    outbox_insert: OutboxInsert
    outbox_lease: OutboxLease
    outbox_postpone: OutboxPostpone
    outbox_purge: OutboxPurge
    outbox_take: OutboxTake
    overdue_end: OverdueEnd
    own_key_get: OwnKeyGet
    password_change: PasswordChange
    password_forgot: PasswordForgot
    password_hash: PasswordHash
    password_reset: PasswordReset
    person_companies_blank: PersonCompaniesBlank
    person_contracts: PersonContracts
    person_contracts_blank: PersonContractsBlank
    person_contracts_lock: PersonContractsLock
    person_copies_end: PersonCopiesEnd
    person_corrections_blank: PersonCorrectionsBlank
    person_data: PersonData
    person_deals_release: PersonDealsRelease
    person_documents_delete: PersonDocumentsDelete
    person_emails_delete: PersonEmailsDelete
    person_find: PersonFind
    person_following_lock: PersonFollowingLock
    person_invites_delete: PersonInvitesDelete
    person_letters_delete: PersonLettersDelete
    person_lock: PersonLock
    person_notes_delete: PersonNotesDelete
    person_quotes_blank: PersonQuotesBlank
    person_requests: PersonRequests
    person_requests_blank: PersonRequestsBlank
    person_revisions_blank: PersonRevisionsBlank
    person_signers_delete: PersonSignersDelete
    person_tasks_delete: PersonTasksDelete
    person_words: PersonWords
    picture_delete: PictureDelete
    picture_file: PictureFile
    picture_files: PictureFiles
    picture_get: PictureGet
    picture_insert: PictureInsert
    picture_list: PictureList
    picture_update: PictureUpdate
    placement_holder: PlacementHolder
    placement_list: PlacementList
    public_answers_lock: PublicAnswersLock
    public_answers_merge: PublicAnswersMerge
    public_capture_get: PublicCaptureGet
    public_capture_id: PublicCaptureId
    public_capture_later: PublicCaptureLater
    public_capture_lead: PublicCaptureLead
    public_capture_open: PublicCaptureOpen
    public_capture_response: PublicCaptureResponse
    public_capture_state: PublicCaptureState
    public_fields: PublicFields
    public_file_same: PublicFileSame
    public_files_prune: PublicFilesPrune
    public_interview_get: PublicInterviewGet
    public_interview_opened: PublicInterviewOpened
    public_interview_submit: PublicInterviewSubmit
    public_invite_enter: PublicInviteEnter
    public_invite_open: PublicInviteOpen
    public_invite_status: PublicInviteStatus
    public_preview_open: PublicPreviewOpen
    public_reminders_decline: PublicRemindersDecline
    public_signing_ask: PublicSigningAsk
    public_signing_code: PublicSigningCode
    public_signing_complete: PublicSigningComplete
    public_signing_decline: PublicSigningDecline
    public_signing_enter: PublicSigningEnter
    public_signing_get: PublicSigningGet
    public_signing_lock: PublicSigningLock
    public_signing_picture: PublicSigningPicture
    public_signing_sign: PublicSigningSign
    public_signing_state: PublicSigningState
    public_signing_viewed: PublicSigningViewed
    quote_delete: QuoteDelete
    quote_get: QuoteGet
    quote_insert: QuoteInsert
    quote_line_clear: QuoteLineClear
    quote_line_insert: QuoteLineInsert
    quote_list: QuoteList
    quote_lock: QuoteLock
    quote_number_lock: QuoteNumberLock
    quote_number_next: QuoteNumberNext
    quote_sums: QuoteSums
    quote_update: QuoteUpdate
    record_counts_fold: RecordCountsFold
    references_missing: ReferencesMissing
    refresh_token_rotate: RefreshTokenRotate
    reset_links_end: ResetLinksEnd
    role_enter: RoleEnter
    schema_parts: SchemaParts
    search_only: SearchOnly
    seat_choose: SeatChoose
    seat_delete: SeatDelete
    seat_find: SeatFind
    seat_get: SeatGet
    seat_list: SeatList
    seat_lock_admins: SeatLockAdmins
    seat_put: SeatPut
    seat_update: SeatUpdate
    session_arrived: SessionArrived
    session_end: SessionEnd
    session_list: SessionList
    session_logout: SessionLogout
    session_open: SessionOpen
    session_start: SessionStart
    sessions_end: SessionsEnd
    sessions_purge: SessionsPurge
    signature_call_again: SignatureCallAgain
    signature_complete: SignatureComplete
    signature_correction_insert: SignatureCorrectionInsert
    signature_document: SignatureDocument
    signature_email: SignatureEmail
    signature_ending: SignatureEnding
    signature_event_by_member: SignatureEventByMember
    signature_event_insert: SignatureEventInsert
    signature_name_printed: SignatureNamePrinted
    signature_parties: SignatureParties
    signature_record: SignatureRecord
    signature_remind: SignatureRemind
    signature_request_end: SignatureRequestEnd
    signature_request_get: SignatureRequestGet
    signature_request_insert: SignatureRequestInsert
    signature_request_list: SignatureRequestList
    signature_request_lock: SignatureRequestLock
    signature_request_open: SignatureRequestOpen
    signature_seal_again: SignatureSealAgain
    signature_seal_failed: SignatureSealFailed
    signature_seal_lock: SignatureSealLock
    signature_signed: SignatureSigned
    signature_signer_correct: SignatureSignerCorrect
    signature_signer_get: SignatureSignerGet
    signature_signer_insert: SignatureSignerInsert
    signature_source: SignatureSource
    signature_told: SignatureTold
    signature_turn: SignatureTurn
    signatures_expire: SignaturesExpire
    snapshot_begin: SnapshotBegin
    statistics_stale: StatisticsStale
    table_names: TableNames
    table_sizes: TableSizes
    tables_held: TablesHeld
    tables_unconfined: TablesUnconfined
    task_delete: TaskDelete
    task_get: TaskGet
    task_insert: TaskInsert
    task_list: TaskList
    task_update: TaskUpdate
    team_delete: TeamDelete
    team_get: TeamGet
    team_insert: TeamInsert
    team_list: TeamList
    team_update: TeamUpdate
    traces_erase: TracesErase
    transfer_patience: TransferPatience
    user_find: UserFind
    user_get: UserGet
    user_list: UserList
    user_put: UserPut
    user_set_password: UserSetPassword
    webhook_changes: WebhookChanges
    webhook_count: WebhookCount
    webhook_delete: WebhookDelete
    webhook_deliveries_purge: WebhookDeliveriesPurge
    webhook_delivery_advance: WebhookDeliveryAdvance
    webhook_delivery_claim: WebhookDeliveryClaim
    webhook_delivery_get: WebhookDeliveryGet
    webhook_delivery_insert: WebhookDeliveryInsert
    webhook_delivery_kept: WebhookDeliveryKept
    webhook_delivery_list: WebhookDeliveryList
    webhook_delivery_noted: WebhookDeliveryNoted
    webhook_delivery_reopen: WebhookDeliveryReopen
    webhook_fails: WebhookFails
    webhook_follow: WebhookFollow
    webhook_followed: WebhookFollowed
    webhook_get: WebhookGet
    webhook_insert: WebhookInsert
    webhook_lease: WebhookLease
    webhook_list: WebhookList
    webhook_lock: WebhookLock
    webhook_pause: WebhookPause
    webhook_paused: WebhookPaused
    webhook_rests: WebhookRests
    webhook_secret_insert: WebhookSecretInsert
    webhook_secret_retire: WebhookSecretRetire
    webhook_secrets_signing: WebhookSecretsSigning
    webhook_state_begin: WebhookStateBegin
    webhook_succeeds: WebhookSucceeds
    webhook_update: WebhookUpdate
    webhooks_behind: WebhooksBehind
    webhooks_counted: WebhooksCounted

queries: Queries
