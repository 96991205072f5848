"""Generated from sql/ by python -m development.query_stub; not to be changed by hand."""

import datetime
import decimal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from psycopg import Connection, Error

from pipeline.database.statements import Statement, Variant

# The types of a row's values are those of its columns.
Row = dict[str, Any]

class SentQuery:
    text: bytes
    values: list[Any]
    variant: Variant

class Query:
    name: str
    kind: str
    parameters: tuple[str, ...]
    frame: str
    statement: Statement
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
    def __init__(self, connection: Connection[Row]) -> None: ...

def line_of(error: Error, text: bytes, variant: Variant) -> int: ...

SQL: Path
FILLED: dict[str, Callable[[], str | None]]

def dumps(value: object) -> bytes: ...
def loads(text: str | bytes) -> Any: ...

class AccountGet(Query):
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

class AccountLink(Query):
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

class AccountLinkMail(Query):
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

class AccountRename(Query):
    def __call__(
        self,
        *,
        user_id: int | None,
        name: str | None,
    ) -> Any: ...

class AccountsDoubtful(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class ApiKeyDelete(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class ApiKeyGet(Query):
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

class ApiKeyInsert(Query):
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

class ApiKeyList(Query):
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

class ApiKeyUpdate(Query):
    def __call__(
        self,
        *,
        name: object | None,
        scopes: Sequence[str] | None,
        keeps_end: object | None,
        expires_at: datetime.datetime | str | None,
        id: int | None,
    ) -> int: ...

class ApiKeyUsed(Query):
    def __call__(
        self,
        *,
        organization_id: int | None,
        key_id: int | None,
    ) -> Any: ...

class AuditExport(Query):
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

class AuditList(Query):
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

class Authenticate(Query):
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

class AuthenticateKey(Query):
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

class BackendNumber(Query):
    def __call__(self) -> Any: ...

class CaptureDraftDelete(Query):
    def __call__(
        self,
        *,
        token: str | None,
    ) -> int: ...

class CaptureDraftFind(Query):
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

class CaptureDraftForget(Query):
    def __call__(
        self,
        *,
        token: str | None,
    ) -> int: ...

class CaptureDraftHandOver(Query):
    def __call__(
        self,
        *,
        keys: Sequence[str] | None,
        token: str | None,
    ) -> int: ...

class CaptureDraftLock(Query):
    def __call__(
        self,
        *,
        token: str | None,
    ) -> Any: ...

class CaptureDraftOpen(Query):
    def __call__(
        self,
        *,
        token: str | None,
    ) -> Any: ...

class CaptureDraftSave(Query):
    def __call__(
        self,
        *,
        token: object | None,
        template_id: int | None,
        given: str | None,
        agreed: object | None,
        cleared: Sequence[str] | None,
    ) -> int: ...

class CaptureDraftSubmitted(Query):
    def __call__(
        self,
        *,
        token: str | None,
    ) -> int: ...

class CaptureDraftsPurge(Query):
    def __call__(self) -> int: ...

class CaptureFilesPrune(Query):
    def __call__(
        self,
        *,
        token: str | None,
    ) -> int: ...

class ChangeFeed(Query):
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

class ChangeFeedEnd(Query):
    def __call__(self) -> Any: ...

class ChangesErase(Query):
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

class ChangesPurge(Query):
    def __call__(
        self,
        *,
        days: int | None,
    ) -> Any: ...

class ChangesRenumber(Query):
    def __call__(self) -> int: ...

class ClauseContents(Query):
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

class ClauseDelete(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class ClauseGet(Query):
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

class ClauseInsert(Query):
    def __call__(
        self,
        *,
        key: object | None,
        name: object | None,
        content: object | None,
        language: object | None,
        warnings: str | None,
    ) -> Any: ...

class ClauseKeys(Query):
    def __call__(self) -> Any: ...

class ClauseList(Query):
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

class ClauseUpdate(Query):
    def __call__(
        self,
        *,
        name: str | None,
        content: str | None,
        language: str | None,
        warnings: str | None,
        id: int | None,
    ) -> int: ...

class ClausesHold(Query):
    def __call__(
        self,
        *,
        keys: Sequence[str] | None,
    ) -> int: ...

class CompanyBatchLock(Query):
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

class CompanyDelete(Query):
    def __call__(
        self,
        *,
        ids: Sequence[int | None] | None,
    ) -> int: ...

class CompanyGet(Query):
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

class CompanyInsert(Query):
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

class CompanyList(Query):
    def __call__(
        self,
        *,
        search: Sequence[str] | None = None,
        external_id: str | None = None,
        domain: str | None = None,
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
        domain: str | None = None,
        updated_since: datetime.datetime | str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class CompanyUpdate(Query):
    def __call__(
        self,
        *,
        rows: str | None,
    ) -> int: ...

class ConfigurationDelete(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class ConfigurationGet(Query):
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

class ConfigurationInsert(Query):
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

class ConfigurationList(Query):
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

class ConfigurationSeedState(Query):
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

class ConfigurationUpdate(Query):
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

class ConfiguratorDefinitionBySlug(Query):
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

class ConfiguratorDefinitionChoices(Query):
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

class ConfiguratorDefinitionDelete(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class ConfiguratorDefinitionGet(Query):
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

class ConfiguratorDefinitionInsert(Query):
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

class ConfiguratorDefinitionList(Query):
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

class ConfiguratorDefinitionUpdate(Query):
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

class ContactBatchLock(Query):
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

class ContactDelete(Query):
    def __call__(
        self,
        *,
        ids: Sequence[int | None] | None,
    ) -> int: ...

class ContactGet(Query):
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

class ContactInsert(Query):
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

class ContactList(Query):
    def __call__(
        self,
        *,
        search: Sequence[str] | None = None,
        external_id: str | None = None,
        company_id: int | None = None,
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
        company_id: int | None = None,
        updated_since: datetime.datetime | str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class ContactUpdate(Query):
    def __call__(
        self,
        *,
        rows: str | None,
    ) -> int: ...

class ContractDelete(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class ContractDocument(Query):
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

class ContractDocumentInsert(Query):
    def __call__(
        self,
        *,
        contract_id: int | None,
        revision: int | None,
        kind: str | None,
        file_id: int | None,
    ) -> int: ...

class ContractDocumentLock(Query):
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

class ContractDocumentSource(Query):
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

class ContractExecute(Query):
    def __call__(
        self,
        *,
        file_id: int | None,
        warnings: str | None,
        id: int | None,
    ) -> int: ...

class ContractExecutedFile(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class ContractFieldDefinitions(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class ContractFieldDelete(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class ContractFieldGet(Query):
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

class ContractFieldInsert(Query):
    def __call__(
        self,
        *,
        key: object | None,
        label: object | None,
        type: object | None,
        options: Sequence[str] | None,
        initial: str | None,
        required: bool | None,
    ) -> Any: ...

class ContractFieldList(Query):
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

class ContractFieldUpdate(Query):
    def __call__(
        self,
        *,
        label: object | None,
        options: Sequence[str] | None,
        initial: str | None,
        required: bool | None,
        id: int | None,
    ) -> int: ...

class ContractFiles(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class ContractGet(Query):
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

class ContractInsert(Query):
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
        created_by: int | None,
    ) -> Any: ...

class ContractList(Query):
    def __call__(
        self,
        *,
        search: Sequence[str] | None = None,
        status: Sequence[str] | None = None,
        deal_id: int | None = None,
        expiring_within: int | None = None,
        fields: str | None = None,
        effective_from: datetime.date | None = None,
        effective_to: datetime.date | None = None,
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
        status: Sequence[str] | None = None,
        deal_id: int | None = None,
        expiring_within: int | None = None,
        fields: str | None = None,
        effective_from: datetime.date | None = None,
        effective_to: datetime.date | None = None,
        updated_since: datetime.datetime | str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class ContractLock(Query):
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

class ContractMove(Query):
    def __call__(
        self,
        *,
        status: object | None,
        id: int | None,
    ) -> int: ...

class ContractNumber(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class ContractNumberTake(Query):
    def __call__(
        self,
        *,
        prefix: object | None,
    ) -> Any: ...

class ContractPatience(Query):
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

class ContractRedlineSource(Query):
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

class ContractRefuse(Query):
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

class ContractRevisionLock(Query):
    def __call__(
        self,
        *,
        id: int | None,
        revision: int | None,
    ) -> Any: ...

class ContractSources(Query):
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

class ContractTemplateDelete(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class ContractTemplateGet(Query):
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

class ContractTemplateInsert(Query):
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
    ) -> Any: ...

class ContractTemplateList(Query):
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

class ContractTemplateLock(Query):
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

class ContractTemplateSetLogo(Query):
    def __call__(
        self,
        *,
        file_id: int | None,
        id: int | None,
    ) -> int: ...

class ContractTemplateUpdate(Query):
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
        missing_glyphs: str | None,
        warnings: str | None,
        clauses: Sequence[str] | None,
        id: int | None,
    ) -> int: ...

class ContractUnexecute(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class ContractUpdate(Query):
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

class ContractsExpire(Query):
    def __call__(self) -> int: ...

class DatabasesLeft(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class DealBatchLock(Query):
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

class DealCurrency(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class DealDelete(Query):
    def __call__(
        self,
        *,
        ids: Sequence[int | None] | None,
    ) -> int: ...

class DealGet(Query):
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

class DealInsert(Query):
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

class DealList(Query):
    def __call__(
        self,
        *,
        search: Sequence[str] | None = None,
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
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class DealStageDelete(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class DealStageGet(Query):
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

class DealStageInsert(Query):
    def __call__(
        self,
        *,
        name: str | None,
        position: int | None,
    ) -> Any: ...

class DealStageList(Query):
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

class DealStageUpdate(Query):
    def __call__(
        self,
        *,
        name: object | None,
        position: int | None,
        id: int | None,
    ) -> int: ...

class DealUpdate(Query):
    def __call__(
        self,
        *,
        rows: str | None,
    ) -> int: ...

class EmailAskedToday(Query):
    def __call__(
        self,
        *,
        to_email: object | None,
    ) -> Any: ...

class EmailClaim(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class EmailGet(Query):
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

class EmailInsert(Query):
    def __call__(
        self,
        *,
        effect_key: object | None,
        message_id: object | None,
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

class EmailRelease(Query):
    def __call__(
        self,
        *,
        unanswered: bool | None,
        error: object | None,
        id: int | None,
        claim: int | None,
    ) -> int: ...

class EmailRemind(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class EmailSecretIssue(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class EmailSettle(Query):
    def __call__(
        self,
        *,
        status: str | None,
        error: object | None,
        sent_at: datetime.datetime | str | None,
        id: int | None,
    ) -> int: ...

class EmailTransmitting(Query):
    def __call__(
        self,
        *,
        id: int | None,
        claim: int | None,
    ) -> int: ...

class ExportRecorded(Query):
    def __call__(
        self,
        *,
        type: str | None,
        filter: str | None,
    ) -> Any: ...

class ExtensionNames(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class FileChunkGet(Query):
    def __call__(
        self,
        *,
        file_id: int | None,
        position: object | None,
    ) -> Any: ...

class FileChunkInsert(Query):
    def __call__(
        self,
        *,
        file_id: int | None,
        position: object | None,
        content: bytes | None,
    ) -> int: ...

class FileDelete(Query):
    def __call__(
        self,
        *,
        ids: Sequence[int | None] | None,
    ) -> int: ...

class FileGet(Query):
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

class FileInsert(Query):
    def __call__(
        self,
        *,
        filename: object | None,
        content_type: object | None,
        size: object | None,
        sha256: object | None,
        created_by: int | None,
    ) -> Any: ...

class FileOrganizationLogo(Query):
    def __call__(self) -> Any: ...

class FileStorageTotal(Query):
    def __call__(self) -> Row | None: ...
    def json(self) -> bytes | None: ...

class FileStorageUse(Query):
    def __call__(self) -> Any: ...

class FilesDamaged(Query):
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

class ForeignObjects(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class FormAnswersAbout(Query):
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

class FormAnswersEnter(Query):
    def __call__(
        self,
        *,
        organization_id: int | None,
        user_id: int | None,
        request_id: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        organization_id: int | None,
        user_id: int | None,
        request_id: str | None = None,
    ) -> bytes | None: ...

class FormLogoContent(Query):
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

class FormLook(Query):
    def __call__(self) -> Row | None: ...
    def json(self) -> bytes | None: ...

class FormSurroundings(Query):
    def __call__(self) -> Row | None: ...
    def json(self) -> bytes | None: ...

class HealthProbe(Query):
    def __call__(self) -> Row | None: ...
    def json(self) -> bytes | None: ...

class HealthProbePatience(Query):
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

class IdempotencyFind(Query):
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

class IdempotencyForget(Query):
    def __call__(
        self,
        *,
        scope: str | None,
        key: str | None,
    ) -> int: ...

class IdempotencyKeep(Query):
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

class IdempotencyKeysPurge(Query):
    def __call__(self) -> int: ...

class IdempotencyLock(Query):
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

class IndexesLeaky(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class InterviewCopyRefused(Query):
    def __call__(
        self,
        *,
        error: object | None,
        id: int | None,
    ) -> int: ...

class InterviewInviteEmail(Query):
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

class InterviewInviteExpire(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class InterviewInviteGet(Query):
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

class InterviewInviteInsert(Query):
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

class InterviewInviteList(Query):
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

class InterviewInviteNotMailed(Query):
    def __call__(
        self,
        *,
        email_status: str | None,
        email_error: str | None,
        id: int | None,
    ) -> int: ...

class InterviewResponsesGet(Query):
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

class InterviewTalliesFold(Query):
    def __call__(self) -> int: ...

class InterviewTemplateAddVersion(Query):
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

class InterviewTemplateDelete(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class InterviewTemplateFacts(Query):
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

class InterviewTemplateGet(Query):
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

class InterviewTemplateInsert(Query):
    def __call__(
        self,
        *,
        name: object | None,
        slug: object | None,
        public_slug: object | None,
        lead_capture_enabled: object | None,
    ) -> Any: ...

class InterviewTemplateLanguages(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class InterviewTemplateList(Query):
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

class InterviewTemplateOverdue(Query):
    def __call__(
        self,
        *,
        template_id: int | None,
        first: datetime.date | None = None,
        last: datetime.date | None = None,
    ) -> Any: ...

class InterviewTemplateUpdate(Query):
    def __call__(
        self,
        *,
        name: object | None,
        slug: object | None,
        public_slug: object | None,
        lead_capture_enabled: object | None,
        id: int | None,
    ) -> Any: ...

class InterviewVersionGet(Query):
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

class InvitationActivate(Query):
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

class InvitationAnswer(Query):
    def __call__(
        self,
        *,
        user_id: int | None,
        id: int | None,
        outcome: str | None,
    ) -> Any: ...

class InvitationDecline(Query):
    def __call__(
        self,
        *,
        token_hash: str | None,
    ) -> Any: ...

class InvitationDelete(Query):
    def __call__(
        self,
        *,
        user_id: int | None,
    ) -> int: ...

class InvitationGet(Query):
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

class InvitationInsert(Query):
    def __call__(
        self,
        *,
        email: str | None,
        name: str | None,
        role: str | None,
        team_id: int | None,
        invited_by: int | None,
    ) -> Any: ...

class InvitationJoin(Query):
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

class InvitationSend(Query):
    def __call__(
        self,
        *,
        user_id: int | None,
        invited_by: int | None,
    ) -> Any: ...

class InvitationUpdate(Query):
    def __call__(
        self,
        *,
        name: str | None,
        role: str | None,
        team_id: int | None,
        user_id: int | None,
    ) -> int: ...

class InvitationWithdraw(Query):
    def __call__(
        self,
        *,
        organization_id: int | None,
        email: str | None,
    ) -> int: ...

class InvitationsOf(Query):
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

class InvitationsPurge(Query):
    def __call__(self) -> int: ...

class InviteEmails(Query):
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

class InviteTokenNewest(Query):
    def __call__(
        self,
        *,
        organization_id: int | None,
    ) -> Any: ...

class InvitesExpire(Query):
    def __call__(self) -> int: ...

class KeysTaken(Query):
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

class LeadBatchLock(Query):
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

class LeadCompanyFind(Query):
    def __call__(
        self,
        *,
        company: str | None,
    ) -> Any: ...

class LeadContactEmploy(Query):
    def __call__(
        self,
        *,
        company_id: int | None,
        contact_id: int | None,
    ) -> int: ...

class LeadContactFill(Query):
    def __call__(
        self,
        *,
        company_id: int | None,
        contact_id: int | None,
        id: int | None,
    ) -> int: ...

class LeadContactFind(Query):
    def __call__(
        self,
        *,
        email: str | None,
    ) -> Any: ...

class LeadContactInsert(Query):
    def __call__(
        self,
        *,
        company_id: int | None,
        id: int | None,
    ) -> Any: ...

class LeadDays(Query):
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

class LeadDealStage(Query):
    def __call__(
        self,
        *,
        stage_id: int | None,
    ) -> Any: ...

class LeadDelete(Query):
    def __call__(
        self,
        *,
        ids: Sequence[int | None] | None,
    ) -> int: ...

class LeadDisqualify(Query):
    def __call__(
        self,
        *,
        reason: str | None,
        id: int | None,
    ) -> int: ...

class LeadEmailList(Query):
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

class LeadExport(Query):
    def __call__(
        self,
        *,
        status: Sequence[str] | None = None,
        source: str | None = None,
        external_id: str | None = None,
        assigned_to: int | None = None,
        user_id: int | None = None,
        date_from: datetime.datetime | str | None = None,
        date_to: datetime.datetime | str | None = None,
        updated_since: datetime.datetime | str | None = None,
        search: Sequence[str] | None = None,
        tag: Sequence[str] | None = None,
        scope: str | None = None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        status: Sequence[str] | None = None,
        source: str | None = None,
        external_id: str | None = None,
        assigned_to: int | None = None,
        user_id: int | None = None,
        date_from: datetime.datetime | str | None = None,
        date_to: datetime.datetime | str | None = None,
        updated_since: datetime.datetime | str | None = None,
        search: Sequence[str] | None = None,
        tag: Sequence[str] | None = None,
        scope: str | None = None,
    ) -> bytes: ...

class LeadGet(Query):
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

class LeadImportAnalyze(Query):
    def __call__(self) -> int: ...

class LeadImportBegin(Query):
    def __call__(self) -> int: ...

class LeadImportCopy(Query):
    def __call__(self) -> int: ...

class LeadImportCounts(Query):
    def __call__(self) -> Row | None: ...
    def json(self) -> bytes | None: ...

class LeadImportFill(Query):
    def __call__(self) -> int: ...

class LeadImportFold(Query):
    def __call__(self) -> int: ...

class LeadImportHold(Query):
    def __call__(self) -> Any: ...

class LeadImportInsert(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class LeadImportKeep(Query):
    def __call__(self) -> int: ...

class LeadImportKey(Query):
    def __call__(self) -> int: ...

class LeadImportLock(Query):
    def __call__(self) -> Any: ...

class LeadImportMatch(Query):
    def __call__(self) -> int: ...

class LeadImportRefuse(Query):
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

class LeadImportSeats(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class LeadImportSkip(Query):
    def __call__(self) -> int: ...

class LeadImportTaken(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class LeadImportUpdate(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class LeadInsert(Query):
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

class LeadLinkEmails(Query):
    def __call__(
        self,
        *,
        contact_id: int | None,
        company_id: int | None,
        deal_id: int | None,
        id: int | None,
    ) -> int: ...

class LeadLinkNotes(Query):
    def __call__(
        self,
        *,
        contact_id: int | None,
        company_id: int | None,
        deal_id: int | None,
        id: int | None,
    ) -> int: ...

class LeadLinkTasks(Query):
    def __call__(
        self,
        *,
        contact_id: int | None,
        company_id: int | None,
        deal_id: int | None,
        id: int | None,
    ) -> int: ...

class LeadList(Query):
    def __call__(
        self,
        *,
        search: Sequence[str] | None = None,
        tag: Sequence[str] | None = None,
        status: Sequence[str] | None = None,
        source: str | None = None,
        external_id: str | None = None,
        assigned_to: int | None = None,
        user_id: int | None = None,
        date_from: datetime.datetime | str | None = None,
        date_to: datetime.datetime | str | None = None,
        updated_since: datetime.datetime | str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
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
        status: Sequence[str] | None = None,
        source: str | None = None,
        external_id: str | None = None,
        assigned_to: int | None = None,
        user_id: int | None = None,
        date_from: datetime.datetime | str | None = None,
        date_to: datetime.datetime | str | None = None,
        updated_since: datetime.datetime | str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        scope: str | None = None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> bytes | None: ...

class LeadLock(Query):
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

class LeadMatchCompanies(Query):
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

class LeadMatchContacts(Query):
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

class LeadQualificationTurn(Query):
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

class LeadQualified(Query):
    def __call__(
        self,
        *,
        contact_id: int | None,
        company_id: int | None,
        deal_id: int | None,
        id: int | None,
    ) -> int: ...

class LeadUpdate(Query):
    def __call__(
        self,
        *,
        rows: str | None,
    ) -> int: ...

class LoginAccount(Query):
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

class LoginFailed(Query):
    def __call__(
        self,
        *,
        email: str | None,
        client: str | None,
        address: str | None,
        request_id: str | None = None,
    ) -> Any: ...

class LoginRecorded(Query):
    def __call__(
        self,
        *,
        session_id: int | None,
        request_id: str | None = None,
    ) -> Any: ...

class LoginRights(Query):
    def __call__(self) -> Row | None: ...
    def json(self) -> bytes | None: ...

class LoginRoles(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class LoginSettings(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class LoginsKeep(Query):
    def __call__(self) -> Any: ...

class LoginsPresent(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class MailDaySpend(Query):
    def __call__(
        self,
        *,
        kind: object | None,
        quota: int | None,
    ) -> Any: ...

class MailDayUsed(Query):
    def __call__(
        self,
        *,
        kind: object | None,
    ) -> Any: ...

class MailDaysPurge(Query):
    def __call__(self) -> int: ...

class MailHourEnd(Query):
    def __call__(
        self,
        *,
        user_id: int | None,
        ends_at: datetime.datetime | str | None,
    ) -> int: ...

class MailHourSpend(Query):
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

class MembershipList(Query):
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

class NoteDelete(Query):
    def __call__(
        self,
        *,
        id: int | None,
        lead_id: int | None,
        contract_id: int | None,
    ) -> int: ...

class NoteGet(Query):
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

class NoteInsert(Query):
    def __call__(
        self,
        *,
        content: str | None,
        created_by: int | None,
        lead_id: int | None,
        contract_id: int | None,
    ) -> Any: ...

class NoteList(Query):
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

class NotificationDigest(Query):
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

class NotificationGather(Query):
    def __call__(
        self,
        *,
        digest_at: datetime.datetime | str | None,
        id: int | None,
    ) -> int: ...

class NotificationGet(Query):
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

class NotificationInsert(Query):
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

class NotificationInterview(Query):
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

class NotificationLead(Query):
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

class NotificationList(Query):
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

class NotificationRead(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class NotificationReadAll(Query):
    def __call__(self) -> int: ...

class NotificationRecipients(Query):
    def __call__(
        self,
        *,
        assigned_to: int | None,
        created_by: int | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        assigned_to: int | None,
        created_by: int | None,
    ) -> bytes: ...

class OrganizationCurrency(Query):
    def __call__(self) -> Any: ...

class OrganizationEnter(Query):
    def __call__(
        self,
        *,
        organization_id: int | None,
        request_id: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        organization_id: int | None,
        request_id: str | None = None,
    ) -> bytes | None: ...

class OrganizationFind(Query):
    def __call__(
        self,
        *,
        slug: str | None,
    ) -> Any: ...

class OrganizationGet(Query):
    def __call__(self) -> Row | None: ...
    def json(self) -> bytes | None: ...

class OrganizationIds(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class OrganizationInsert(Query):
    def __call__(
        self,
        *,
        name: object | None,
        slug: object | None,
        time_zone: object | None,
        currency: object | None,
        locale: object | None,
    ) -> Any: ...

class OrganizationLetterhead(Query):
    def __call__(self) -> Row | None: ...
    def json(self) -> bytes | None: ...

class OrganizationSetLogo(Query):
    def __call__(
        self,
        *,
        file_id: int | None,
    ) -> int: ...

class OrganizationTimeZoneKnown(Query):
    def __call__(
        self,
        *,
        time_zone: str | None,
    ) -> Any: ...

class OrganizationUpdate(Query):
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

class OutboxBacklog(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class OutboxDone(Query):
    def __call__(
        self,
        *,
        error: str | None,
        id: int | None,
    ) -> int: ...

class OutboxHold(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class OutboxInsert(Query):
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

class OutboxLease(Query):
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

class OutboxPostpone(Query):
    def __call__(
        self,
        *,
        error: str | None,
        seconds: float | None,
        id: int | None,
    ) -> int: ...

class OutboxPurge(Query):
    def __call__(self) -> int: ...

class OutboxTake(Query):
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

class OverdueEnd(Query):
    def __call__(self) -> Any: ...

class PasswordChange(Query):
    def __call__(
        self,
        *,
        user_id: int | None,
        known_hash: str | None,
        new_hash: str | None,
        session_id: int | None,
    ) -> Any: ...

class PasswordForgot(Query):
    def __call__(
        self,
        *,
        email: str | None,
        expires_at: datetime.datetime | str | None,
    ) -> Any: ...

class PasswordHash(Query):
    def __call__(
        self,
        *,
        user_id: int | None,
    ) -> Any: ...

class PasswordReset(Query):
    def __call__(
        self,
        *,
        token_hash: str | None,
        password_hash: str | None,
    ) -> Any: ...

class PersonCompaniesBlank(Query):
    def __call__(
        self,
        *,
        addresses: Sequence[str] | None,
        phones: Sequence[str] | None,
        companies: Sequence[int | None] | None,
    ) -> int: ...

class PersonContracts(Query):
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

class PersonContractsBlank(Query):
    def __call__(
        self,
        *,
        patterns: Sequence[str] | None,
        contracts: Sequence[int | None] | None,
    ) -> int: ...

class PersonContractsLock(Query):
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

class PersonData(Query):
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

class PersonDealsRelease(Query):
    def __call__(
        self,
        *,
        contacts: Sequence[int | None] | None,
        patterns: Sequence[str] | None,
        deals: Sequence[int | None] | None,
    ) -> int: ...

class PersonDocumentsDelete(Query):
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

class PersonEmailsDelete(Query):
    def __call__(
        self,
        *,
        emails: Sequence[int | None] | None,
    ) -> int: ...

class PersonFind(Query):
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

class PersonFollowingLock(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class PersonInvitesDelete(Query):
    def __call__(
        self,
        *,
        invites: Sequence[int | None] | None,
    ) -> int: ...

class PersonLettersDelete(Query):
    def __call__(
        self,
        *,
        requests: Sequence[int | None] | None,
        patterns: Sequence[str] | None,
    ) -> int: ...

class PersonLock(Query):
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

class PersonNotesDelete(Query):
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

class PersonQuotesBlank(Query):
    def __call__(
        self,
        *,
        patterns: Sequence[str] | None,
        deals: Sequence[int | None] | None,
    ) -> int: ...

class PersonRequests(Query):
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

class PersonRequestsBlank(Query):
    def __call__(
        self,
        *,
        patterns: Sequence[str] | None,
        contracts: Sequence[int | None] | None,
        requests: Sequence[int | None] | None,
    ) -> int: ...

class PersonRevisionsBlank(Query):
    def __call__(
        self,
        *,
        patterns: Sequence[str] | None,
        contracts: Sequence[int | None] | None,
    ) -> int: ...

class PersonSignersDelete(Query):
    def __call__(
        self,
        *,
        signers: Sequence[int | None] | None,
        requests: Sequence[int | None] | None,
    ) -> int: ...

class PersonTasksDelete(Query):
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

class PersonWords(Query):
    def __call__(
        self,
        *,
        leads: Sequence[int | None] | None,
        contacts: Sequence[int | None] | None,
        invites: Sequence[int | None] | None,
        signers: Sequence[int | None] | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        leads: Sequence[int | None] | None,
        contacts: Sequence[int | None] | None,
        invites: Sequence[int | None] | None,
        signers: Sequence[int | None] | None,
    ) -> bytes | None: ...

class PublicAnswersLock(Query):
    def __call__(
        self,
        *,
        invite_id: int | None,
    ) -> Any: ...

class PublicAnswersMerge(Query):
    def __call__(
        self,
        *,
        given: str | None,
        cleared: Sequence[str] | None,
        consents: str | None,
        hidden_fields: str | None,
        step: str | None,
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
        invite_id: int | None,
    ) -> bytes | None: ...

class PublicCaptureGet(Query):
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

class PublicCaptureId(Query):
    def __call__(
        self,
        *,
        of: str | None,
    ) -> Any: ...

class PublicCaptureLater(Query):
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
    ) -> int: ...

class PublicCaptureLead(Query):
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
        assigned_to: int | None,
    ) -> int: ...

class PublicCaptureOpen(Query):
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

class PublicCaptureResponse(Query):
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
    ) -> int: ...

class PublicCaptureState(Query):
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

class PublicFileSame(Query):
    def __call__(
        self,
        *,
        ids: Sequence[int | None] | None,
        sha256: object | None,
    ) -> Any: ...

class PublicFilesPrune(Query):
    def __call__(
        self,
        *,
        invite_id: int | None,
    ) -> int: ...

class PublicInterviewGet(Query):
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

class PublicInterviewOpened(Query):
    def __call__(
        self,
        *,
        invite_id: int | None,
    ) -> int: ...

class PublicInterviewSubmit(Query):
    def __call__(
        self,
        *,
        answers: str | None,
        rep_flags: str | None,
        lead_id: int | None,
        tally: str | None,
        invite_id: int | None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        answers: str | None,
        rep_flags: str | None,
        lead_id: int | None,
        tally: str | None,
        invite_id: int | None,
    ) -> bytes | None: ...

class PublicInviteEnter(Query):
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

class PublicInviteOpen(Query):
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

class PublicInviteStatus(Query):
    def __call__(
        self,
        *,
        invite_id: int | None,
    ) -> Any: ...

class PublicPreviewOpen(Query):
    def __call__(
        self,
        *,
        organization_id: int | None,
        template_id: int | None,
        request_id: str | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        organization_id: int | None,
        template_id: int | None,
        request_id: str | None = None,
    ) -> bytes | None: ...

class PublicRemindersDecline(Query):
    def __call__(
        self,
        *,
        invite_id: int | None,
    ) -> int: ...

class PublicSigningAsk(Query):
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

class PublicSigningCode(Query):
    def __call__(
        self,
        *,
        code: str | None,
        browser_hash: str | None,
    ) -> Any: ...

class PublicSigningComplete(Query):
    def __call__(
        self,
        *,
        request_id: int | None = None,
    ) -> int: ...

class PublicSigningDecline(Query):
    def __call__(
        self,
        *,
        reason: object | None,
        address: object | None,
        user_agent: object | None,
        signer_id: int | None,
    ) -> int: ...

class PublicSigningEnter(Query):
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

class PublicSigningGet(Query):
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

class PublicSigningLock(Query):
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

class PublicSigningSign(Query):
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

class PublicSigningState(Query):
    def __call__(
        self,
        *,
        copy_days: int | None,
        signer_id: int | None,
        request_id: int | None = None,
        intact: bool | None = None,
    ) -> Row | None: ...
    def json(
        self,
        *,
        copy_days: int | None,
        signer_id: int | None,
        request_id: int | None = None,
        intact: bool | None = None,
    ) -> bytes | None: ...

class PublicSigningViewed(Query):
    def __call__(
        self,
        *,
        signer_id: int | None,
    ) -> int: ...

class QuoteDelete(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class QuoteGet(Query):
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

class QuoteInsert(Query):
    def __call__(
        self,
        *,
        quote_date: object | None,
        valid_until: object | None,
        currency: object | None,
        payment_terms: object | None,
        notes: object | None,
        deal_id: int | None,
        quote_number: object | None,
        status: str | None,
        discount_total: object | None,
        tax_total: object | None,
    ) -> Any: ...

class QuoteIsOverdiscounted(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class QuoteLineClear(Query):
    def __call__(
        self,
        *,
        quote_id: int | None,
    ) -> int: ...

class QuoteLineInsert(Query):
    def __call__(
        self,
        *,
        quote_id: int | None,
        lines: str | None,
    ) -> int: ...

class QuoteList(Query):
    def __call__(
        self,
        *,
        search: Sequence[str] | None = None,
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

class QuoteLock(Query):
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

class QuoteNumberLock(Query):
    def __call__(self) -> Row | None: ...
    def json(self) -> bytes | None: ...

class QuoteNumberNext(Query):
    def __call__(self) -> Any: ...

class QuoteUpdate(Query):
    def __call__(
        self,
        *,
        quote_date: object | None,
        valid_until: object | None,
        currency: object | None,
        payment_terms: object | None,
        notes: object | None,
        deal_id: int | None,
        quote_number: str | None,
        status: str | None,
        discount_total: object | None,
        tax_total: object | None,
        has_other_lines: bool | None,
        id: int | None,
    ) -> int: ...

class RecordCountsFold(Query):
    def __call__(self) -> int: ...

class ReferencesMissing(Query):
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

class RefreshTokenRotate(Query):
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

class RoleEnter(Query):
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

class SchemaParts(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class SearchOnly(Query):
    def __call__(
        self,
        *,
        schema: str | None,
    ) -> Any: ...

class SeatDelete(Query):
    def __call__(
        self,
        *,
        user_id: int | None,
    ) -> int: ...

class SeatFind(Query):
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

class SeatLockAdmins(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class SeatPut(Query):
    def __call__(
        self,
        *,
        organization_id: int | None,
        user_id: int | None,
        role: object | None,
    ) -> int: ...

class SeatUpdate(Query):
    def __call__(
        self,
        *,
        role: str | None,
        seat_active: bool | None,
        team_id: int | None,
        user_id: int | None,
    ) -> int: ...

class SessionEnd(Query):
    def __call__(
        self,
        *,
        user_id: int | None,
        session_id: int | None,
    ) -> Any: ...

class SessionList(Query):
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

class SessionLogout(Query):
    def __call__(
        self,
        *,
        token_hash: str | None,
        family_hash: str | None,
    ) -> Any: ...

class SessionOpen(Query):
    def __call__(
        self,
        *,
        user_id: int | None,
        organization_id: int | None,
        seconds: float | None,
    ) -> Any: ...

class SessionStart(Query):
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

class SessionsEnd(Query):
    def __call__(
        self,
        *,
        user_id: int | None,
        kept_id: int | None,
    ) -> Any: ...

class SessionsPurge(Query):
    def __call__(self) -> Any: ...

class SignatureComplete(Query):
    def __call__(
        self,
        *,
        file_id: int | None,
        seal: str | None,
        request_id: int | None = None,
    ) -> int: ...

class SignatureDocument(Query):
    def __call__(
        self,
        *,
        contract_id: int | None,
    ) -> Any: ...

class SignatureEmail(Query):
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

class SignatureEnding(Query):
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

class SignatureEventInsert(Query):
    def __call__(
        self,
        *,
        address: str | None = None,
        user_agent: str | None = None,
        request_id: int | None = None,
        signer_id: int | None,
        event: object | None,
    ) -> int: ...

class SignatureRecord(Query):
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

class SignatureRemind(Query):
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

class SignatureRequestEnd(Query):
    def __call__(
        self,
        *,
        status: object | None,
        id: int | None,
    ) -> int: ...

class SignatureRequestGet(Query):
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

class SignatureRequestInsert(Query):
    def __call__(
        self,
        *,
        contract_id: int | None,
        revision: int | None,
        document_file_id: int | None,
        document_sha256: object | None,
        content_sha256: object | None,
        message: object | None,
        language: object | None,
        verify_email: bool | None,
        expires_in_days: int | None,
        created_by: int | None,
    ) -> Any: ...

class SignatureRequestList(Query):
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

class SignatureRequestLock(Query):
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

class SignatureRequestOpen(Query):
    def __call__(
        self,
        *,
        contract_id: int | None,
    ) -> Any: ...

class SignatureSealAgain(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class SignatureSealFailed(Query):
    def __call__(
        self,
        *,
        error: object | None,
        request_id: int | None = None,
    ) -> int: ...

class SignatureSealLock(Query):
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

class SignatureSigned(Query):
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

class SignatureSignerInsert(Query):
    def __call__(
        self,
        *,
        request_id: int | None = None,
        name: object | None,
        email: object | None,
        party: object | None,
        turn: int | None,
    ) -> Any: ...

class SignatureSource(Query):
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

class SignatureTold(Query):
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

class SignatureTurn(Query):
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

class SignaturesExpire(Query):
    def __call__(
        self,
        *,
        contract_id: int | None,
    ) -> Any: ...

class SnapshotBegin(Query):
    def __call__(self) -> Any: ...

class StatisticsStale(Query):
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

class TableNames(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class TableSizes(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class TablesHeld(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class TablesUnconfined(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class TaskDelete(Query):
    def __call__(
        self,
        *,
        id: int | None,
        lead_id: int | None,
        contract_id: int | None,
    ) -> int: ...

class TaskGet(Query):
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

class TaskInsert(Query):
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

class TaskList(Query):
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

class TaskUpdate(Query):
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

class TeamDelete(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class TeamGet(Query):
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

class TeamInsert(Query):
    def __call__(
        self,
        *,
        name: object | None,
    ) -> Any: ...

class TeamList(Query):
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

class TeamUpdate(Query):
    def __call__(
        self,
        *,
        name: object | None,
        id: int | None,
    ) -> int: ...

class TracesErase(Query):
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

class TransferPatience(Query):
    def __call__(self) -> Row | None: ...
    def json(self) -> bytes | None: ...

class UserFind(Query):
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

class UserGet(Query):
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

class UserList(Query):
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

class UserPut(Query):
    def __call__(
        self,
        *,
        name: object | None,
        email: object | None,
    ) -> Any: ...

class UserSetPassword(Query):
    def __call__(
        self,
        *,
        id: int | None,
        password_hash: str | None,
    ) -> Any: ...

class WebhookChanges(Query):
    def __call__(
        self,
        *,
        since: object | None,
        after_transaction: int | None,
        after_id: int | None,
        limit: int | None,
    ) -> list[Row]: ...
    def json(
        self,
        *,
        since: object | None,
        after_transaction: int | None,
        after_id: int | None,
        limit: int | None,
    ) -> bytes: ...

class WebhookCount(Query):
    def __call__(self) -> Any: ...

class WebhookDelete(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class WebhookDeliveriesPurge(Query):
    def __call__(self) -> int: ...

class WebhookDeliveryAdvance(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> int: ...

class WebhookDeliveryClaim(Query):
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

class WebhookDeliveryGet(Query):
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

class WebhookDeliveryInsert(Query):
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

class WebhookDeliveryKept(Query):
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

class WebhookDeliveryList(Query):
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

class WebhookDeliveryNoted(Query):
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

class WebhookDeliveryReopen(Query):
    def __call__(
        self,
        *,
        webhook_id: int | None,
        id: int | None,
    ) -> int: ...

class WebhookFails(Query):
    def __call__(
        self,
        *,
        webhook_id: int | None,
        days: int | None,
    ) -> Any: ...

class WebhookFollow(Query):
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

class WebhookFollowed(Query):
    def __call__(
        self,
        *,
        after_transaction: int | None,
        after_id: int | None,
        webhook_id: int | None,
    ) -> int: ...

class WebhookGet(Query):
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

class WebhookInsert(Query):
    def __call__(
        self,
        *,
        created_by: int | None,
        url: object | None,
        events: object | None,
        description: object | None,
        active: object | None,
    ) -> Any: ...

class WebhookLease(Query):
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

class WebhookList(Query):
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

class WebhookLock(Query):
    def __call__(
        self,
        *,
        id: int | None,
    ) -> Any: ...

class WebhookPause(Query):
    def __call__(
        self,
        *,
        id: int | None,
        url: str | None = None,
    ) -> int: ...

class WebhookPaused(Query):
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

class WebhookSecretInsert(Query):
    def __call__(
        self,
        *,
        webhook_id: int | None,
        secret: object | None,
    ) -> int: ...

class WebhookSecretRetire(Query):
    def __call__(
        self,
        *,
        webhook_id: int | None,
        hours: int | None,
    ) -> int: ...

class WebhookSecretsSigning(Query):
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

class WebhookStateBegin(Query):
    def __call__(
        self,
        *,
        webhook_id: int | None,
    ) -> int: ...

class WebhookSucceeds(Query):
    def __call__(
        self,
        *,
        webhook_id: int | None,
    ) -> int: ...

class WebhookUpdate(Query):
    def __call__(
        self,
        *,
        active: object | None,
        url: object | None,
        events: object | None,
        description: object | None,
        id: int | None,
    ) -> int: ...

class WebhooksBehind(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class WebhooksCounted(Query):
    def __call__(self) -> list[Row]: ...
    def json(self) -> bytes: ...

class Queries:
    reload: bool
    def __init__(self, folder: Path = ..., reload: bool = ...) -> None: ...
    def __iter__(self) -> Iterator[Query]: ...
    def renew(self, check: Callable[[dict[str, Statement]], object]) -> None: ...
    def bound(self) -> ConnectionContext: ...
    def connection(self) -> Connection[Row]: ...
    def database(self) -> tuple[bytes, bytes, bytes]: ...
    def bind(self, connection: Connection[Any] | None) -> None: ...
    def on(self, connection: Connection[Any]) -> AbstractContextManager[Connection[Any]]: ...
    account_get: AccountGet
    account_link: AccountLink
    account_link_mail: AccountLinkMail
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
    contract_execute: ContractExecute
    contract_executed_file: ContractExecutedFile
    contract_field_definitions: ContractFieldDefinitions
    contract_field_delete: ContractFieldDelete
    contract_field_get: ContractFieldGet
    contract_field_insert: ContractFieldInsert
    contract_field_list: ContractFieldList
    contract_field_update: ContractFieldUpdate
    contract_files: ContractFiles
    contract_get: ContractGet
    contract_insert: ContractInsert
    contract_list: ContractList
    contract_lock: ContractLock
    contract_move: ContractMove
    contract_number: ContractNumber
    contract_number_take: ContractNumberTake
    contract_patience: ContractPatience
    contract_redline_source: ContractRedlineSource
    contract_refuse: ContractRefuse
    contract_revision_lock: ContractRevisionLock
    contract_sources: ContractSources
    contract_template_delete: ContractTemplateDelete
    contract_template_get: ContractTemplateGet
    contract_template_insert: ContractTemplateInsert
    contract_template_list: ContractTemplateList
    contract_template_lock: ContractTemplateLock
    contract_template_set_logo: ContractTemplateSetLogo
    contract_template_update: ContractTemplateUpdate
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
    email_claim: EmailClaim
    email_get: EmailGet
    email_insert: EmailInsert
    email_release: EmailRelease
    email_remind: EmailRemind
    email_secret_issue: EmailSecretIssue
    email_settle: EmailSettle
    email_transmitting: EmailTransmitting
    export_recorded: ExportRecorded
    extension_names: ExtensionNames
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
    form_surroundings: FormSurroundings
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
    lead_company_find: LeadCompanyFind
    lead_contact_employ: LeadContactEmploy
    lead_contact_fill: LeadContactFill
    lead_contact_find: LeadContactFind
    lead_contact_insert: LeadContactInsert
    lead_days: LeadDays
    lead_deal_stage: LeadDealStage
    lead_delete: LeadDelete
    lead_disqualify: LeadDisqualify
    lead_email_list: LeadEmailList
    lead_export: LeadExport
    lead_get: LeadGet
    lead_import_analyze: LeadImportAnalyze
    lead_import_begin: LeadImportBegin
    lead_import_copy: LeadImportCopy
    lead_import_counts: LeadImportCounts
    lead_import_fill: LeadImportFill
    lead_import_fold: LeadImportFold
    lead_import_hold: LeadImportHold
    lead_import_insert: LeadImportInsert
    lead_import_keep: LeadImportKeep
    lead_import_key: LeadImportKey
    lead_import_lock: LeadImportLock
    lead_import_match: LeadImportMatch
    lead_import_refuse: LeadImportRefuse
    lead_import_seats: LeadImportSeats
    lead_import_skip: LeadImportSkip
    lead_import_taken: LeadImportTaken
    lead_import_update: LeadImportUpdate
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
    note_delete: NoteDelete
    note_get: NoteGet
    note_insert: NoteInsert
    note_list: NoteList
    notification_digest: NotificationDigest
    notification_gather: NotificationGather
    notification_get: NotificationGet
    notification_insert: NotificationInsert
    notification_interview: NotificationInterview
    notification_lead: NotificationLead
    notification_list: NotificationList
    notification_read: NotificationRead
    notification_read_all: NotificationReadAll
    notification_recipients: NotificationRecipients
    organization_currency: OrganizationCurrency
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
    outbox_done: OutboxDone
    outbox_hold: OutboxHold
    outbox_insert: OutboxInsert
    outbox_lease: OutboxLease
    outbox_postpone: OutboxPostpone
    outbox_purge: OutboxPurge
    outbox_take: OutboxTake
    overdue_end: OverdueEnd
    password_change: PasswordChange
    password_forgot: PasswordForgot
    password_hash: PasswordHash
    password_reset: PasswordReset
    person_companies_blank: PersonCompaniesBlank
    person_contracts: PersonContracts
    person_contracts_blank: PersonContractsBlank
    person_contracts_lock: PersonContractsLock
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
    public_answers_lock: PublicAnswersLock
    public_answers_merge: PublicAnswersMerge
    public_capture_get: PublicCaptureGet
    public_capture_id: PublicCaptureId
    public_capture_later: PublicCaptureLater
    public_capture_lead: PublicCaptureLead
    public_capture_open: PublicCaptureOpen
    public_capture_response: PublicCaptureResponse
    public_capture_state: PublicCaptureState
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
    public_signing_sign: PublicSigningSign
    public_signing_state: PublicSigningState
    public_signing_viewed: PublicSigningViewed
    quote_delete: QuoteDelete
    quote_get: QuoteGet
    quote_insert: QuoteInsert
    quote_is_overdiscounted: QuoteIsOverdiscounted
    quote_line_clear: QuoteLineClear
    quote_line_insert: QuoteLineInsert
    quote_list: QuoteList
    quote_lock: QuoteLock
    quote_number_lock: QuoteNumberLock
    quote_number_next: QuoteNumberNext
    quote_update: QuoteUpdate
    record_counts_fold: RecordCountsFold
    references_missing: ReferencesMissing
    refresh_token_rotate: RefreshTokenRotate
    role_enter: RoleEnter
    schema_parts: SchemaParts
    search_only: SearchOnly
    seat_delete: SeatDelete
    seat_find: SeatFind
    seat_lock_admins: SeatLockAdmins
    seat_put: SeatPut
    seat_update: SeatUpdate
    session_end: SessionEnd
    session_list: SessionList
    session_logout: SessionLogout
    session_open: SessionOpen
    session_start: SessionStart
    sessions_end: SessionsEnd
    sessions_purge: SessionsPurge
    signature_complete: SignatureComplete
    signature_document: SignatureDocument
    signature_email: SignatureEmail
    signature_ending: SignatureEnding
    signature_event_insert: SignatureEventInsert
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
    webhook_secret_insert: WebhookSecretInsert
    webhook_secret_retire: WebhookSecretRetire
    webhook_secrets_signing: WebhookSecretsSigning
    webhook_state_begin: WebhookStateBegin
    webhook_succeeds: WebhookSucceeds
    webhook_update: WebhookUpdate
    webhooks_behind: WebhooksBehind
    webhooks_counted: WebhooksCounted

queries: Queries
