"""Generated from sql/ by python -m development.query_stub; not to be changed by hand."""

import datetime
import decimal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

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
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def json(self, *args: Any, **kwargs: Any) -> Any: ...
    def each(self, by: Mapping[str, Sequence[int]], **given: Any) -> list[str | None]: ...
    def words(self, name: str) -> tuple[str, ...]: ...
    def explained(self, options: str, /, **parameters: Any) -> list[Any]: ...
    def merged(self, **parameters: Any) -> bytes: ...
    def sent(self, parameters: dict[str, Any], frame: str = ...) -> SentQuery: ...

P = ParamSpec("P")
T = TypeVar("T")

class TypedQuery(NamedQuery, Generic[P, T]):
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T: ...
    @overload
    def json(self: TypedQuery[P, Row | None], *args: P.args, **kwargs: P.kwargs) -> bytes | None: ...
    @overload
    def json(self: TypedQuery[P, list[Row]], *args: P.args, **kwargs: P.kwargs) -> bytes: ...

# The signatures below become attributes that can also be asked for JSON.
def query(signature: Callable[Concatenate[Queries, P], T]) -> TypedQuery[P, T]: ...

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

class Queries:
    reload: bool
    def __init__(self, folder: Path = ...) -> None: ...
    def __iter__(self) -> Iterator[NamedQuery]: ...
    def renew(self, check: Callable[[dict[str, SqlStatement]], object]) -> None: ...
    def bound(self) -> ConnectionContext: ...
    def connection(self) -> Connection[Row]: ...
    def database(self) -> tuple[bytes, bytes, bytes]: ...
    def bind(self, connection: Connection[Any] | None) -> None: ...
    def on(self, connection: Connection[Any]) -> AbstractContextManager[Connection[Any]]: ...

    @query
    def account_get(self, *, user_id: int | None) -> Row | None: ...
    @query
    def account_link(self, *, token_hash: str | None) -> Row | None: ...
    @query
    def account_link_mail(self, *, id: int | None) -> Row | None: ...
    @query
    def account_make(
        self,
        *,
        id: int | None,
        email: str | None,
        name: str | None,
        password_hash: str | None,
    ) -> Any: ...
    @query
    def account_rename(self, *, user_id: int | None, name: str | None) -> Any: ...
    @query
    def accounts_doubtful(self) -> list[Row]: ...
    @query
    def api_key_delete(self, *, id: int | None) -> int: ...
    @query
    def api_key_get(self, *, id: int | None) -> Row | None: ...
    @query
    def api_key_insert(
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
    @query
    def api_key_list(
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
    @query
    def api_key_update(
        self,
        *,
        name: object | None,
        scopes: Sequence[str] | None,
        keeps_end: object | None,
        expires_at: datetime.datetime | str | None,
        id: int | None,
    ) -> int: ...
    @query
    def api_key_used(self, *, organization_id: int | None, key_id: int | None) -> Any: ...
    @query
    def audit_export(
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
    @query
    def audit_list(
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
    @query
    def authenticate(
        self,
        *,
        request_id: str | None = None,
        user_id: int | None,
        organization_id: int | None,
        session_id: int | None,
    ) -> Row | None: ...
    @query
    def authenticate_key(self, *, request_id: str | None = None, key_hash: str | None) -> Row | None: ...
    @query
    def backend_number(self) -> Any: ...
    @query
    def bounce_enter(self, *, request_id: str | None = None, organization_id: int | None) -> Row | None: ...
    @query
    def bounce_has_organization(self, *, organization_id: int | None) -> Any: ...
    @query
    def capture_draft_delete(self, *, token: str | None) -> int: ...
    @query
    def capture_draft_find(self, *, token: str | None) -> Row | None: ...
    @query
    def capture_draft_forget(self, *, token: str | None) -> int: ...
    @query
    def capture_draft_hand_over(self, *, keys: Sequence[str] | None, token: str | None) -> int: ...
    @query
    def capture_draft_lock(self, *, token: str | None) -> Any: ...
    @query
    def capture_draft_open(self, *, token: str | None) -> Any: ...
    @query
    def capture_draft_save(
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
    @query
    def capture_draft_submitted(self, *, token: str | None) -> int: ...
    @query
    def capture_drafts_purge(self) -> int: ...
    @query
    def capture_files_prune(self, *, token: str | None) -> int: ...
    @query
    def cell_beat(self, *, write: bool | None) -> Any: ...
    @query
    def change_feed(
        self,
        *,
        transaction_id: int | None,
        id: int | None,
        types: Sequence[str] | None = None,
        limit: int | None,
    ) -> Row | None: ...
    @query
    def change_feed_end(self) -> Any: ...
    @query
    def changes_erase(
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
    @query
    def changes_purge(self, *, days: int | None) -> Any: ...
    @query
    def changes_renumber(self) -> int: ...
    @query
    def clause_contents(self, *, keys: Sequence[str] | None) -> list[Row]: ...
    @query
    def clause_delete(self, *, id: int | None) -> int: ...
    @query
    def clause_get(self, *, id: int | None) -> Row | None: ...
    @query
    def clause_insert(
        self,
        *,
        key: object | None,
        name: object | None,
        content: object | None,
        language: object | None,
        warnings: str | None,
    ) -> Any: ...
    @query
    def clause_keys(self) -> Any: ...
    @query
    def clause_list(
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
    @query
    def clause_update(
        self,
        *,
        name: str | None,
        content: str | None,
        language: str | None,
        warnings: str | None,
        id: int | None,
    ) -> int: ...
    @query
    def clauses_hold(self, *, keys: Sequence[str] | None) -> int: ...
    @query
    def company_batch_lock(
        self,
        *,
        ids: Sequence[int | None] | None,
        external_ids: Sequence[str] | None,
    ) -> list[Row]: ...
    @query
    def company_delete(self, *, ids: Sequence[int | None] | None) -> int: ...
    @query
    def company_get(self, *, id: int | None) -> Row | None: ...
    @query
    def company_insert(self, *, rows: str | None) -> list[Row]: ...
    @query
    def company_list(
        self,
        *,
        search: Sequence[str] | None = None,
        external_id: str | None = None,
        domain: str | None = None,
        updated_since: datetime.datetime | str | None = None,
        fields: str | None = None,
        bounds: str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        total: int | None = None,
        sort_field: str | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    @query
    def company_update(self, *, rows: str | None) -> int: ...
    @query
    def configuration_delete(self, *, id: int | None) -> int: ...
    @query
    def configuration_get(self, *, id: int | None) -> Row | None: ...
    @query
    def configuration_insert(
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
    @query
    def configuration_list(
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
    @query
    def configuration_seed_state(self, *, invite_id: int | None) -> Row | None: ...
    @query
    def configuration_update(
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
    @query
    def configurator_definition_by_slug(self, *, slug: object | None) -> Row | None: ...
    @query
    def configurator_definition_choices(self, *, id: int | None) -> Row | None: ...
    @query
    def configurator_definition_delete(self, *, id: int | None) -> int: ...
    @query
    def configurator_definition_get(self, *, id: int | None) -> Row | None: ...
    @query
    def configurator_definition_insert(
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
    @query
    def configurator_definition_list(
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
    @query
    def configurator_definition_update(
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
    @query
    def contact_batch_lock(
        self,
        *,
        ids: Sequence[int | None] | None,
        external_ids: Sequence[str] | None,
    ) -> list[Row]: ...
    @query
    def contact_delete(self, *, ids: Sequence[int | None] | None) -> int: ...
    @query
    def contact_get(self, *, id: int | None) -> Row | None: ...
    @query
    def contact_insert(self, *, rows: str | None) -> list[Row]: ...
    @query
    def contact_list(
        self,
        *,
        search: Sequence[str] | None = None,
        external_id: str | None = None,
        email: str | None = None,
        company_id: int | None = None,
        updated_since: datetime.datetime | str | None = None,
        fields: str | None = None,
        bounds: str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        total: int | None = None,
        sort_field: str | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    @query
    def contact_update(self, *, rows: str | None) -> int: ...
    @query
    def contract_delete(self, *, id: int | None) -> int: ...
    @query
    def contract_document(self, *, kind: str | None, limits: Sequence[int] | None, id: int | None) -> Row | None: ...
    @query
    def contract_document_insert(
        self,
        *,
        contract_id: int | None,
        revision: int | None,
        kind: str | None,
        file_id: int | None,
    ) -> int: ...
    @query
    def contract_document_lock(self, *, kind: str | None, id: int | None) -> Row | None: ...
    @query
    def contract_document_source(self, *, id: int | None) -> Row | None: ...
    @query
    def contract_draft_source(self, *, id: int | None) -> Row | None: ...
    @query
    def contract_execute(self, *, file_id: int | None, warnings: str | None, id: int | None) -> int: ...
    @query
    def contract_executed_file(self, *, id: int | None) -> Any: ...
    @query
    def contract_files(self, *, id: int | None) -> Any: ...
    @query
    def contract_get(self, *, id: int | None) -> Row | None: ...
    @query
    def contract_insert(
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
    @query
    def contract_is_converted(self, *, id: int | None) -> Any: ...
    @query
    def contract_list(
        self,
        *,
        search: Sequence[str] | None = None,
        status: Sequence[str] | None = None,
        number: str | None = None,
        external_id: str | None = None,
        deal_id: int | None = None,
        expiring_within: int | None = None,
        effective_from: datetime.date | None = None,
        effective_to: datetime.date | None = None,
        updated_since: datetime.datetime | str | None = None,
        fields: str | None = None,
        bounds: str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        total: int | None = None,
        sort_field: str | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    @query
    def contract_lock(self, *, id: int | None) -> Row | None: ...
    @query
    def contract_move(self, *, status: object | None, id: int | None) -> int: ...
    @query
    def contract_name_outside(self, *, external_id: str | None, id: int | None) -> int: ...
    @query
    def contract_number(self, *, id: int | None) -> Any: ...
    @query
    def contract_number_take(self, *, prefix: object | None) -> Any: ...
    @query
    def contract_patience(self, *, patience: str | None) -> Row | None: ...
    @query
    def contract_redline_source(self, *, id: int | None, earlier: int | None, later: int | None) -> Row | None: ...
    @query
    def contract_refuse(
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
    @query
    def contract_revision_lock(self, *, id: int | None, revision: int | None) -> Any: ...
    @query
    def contract_sealed_by(self, *, id: int | None) -> Any: ...
    @query
    def contract_sources(
        self,
        *,
        template_id: int | None,
        kept_template_id: int | None,
        deal_id: int | None,
    ) -> Row | None: ...
    @query
    def contract_template_delete(self, *, id: int | None) -> int: ...
    @query
    def contract_template_get(self, *, id: int | None) -> Row | None: ...
    @query
    def contract_template_insert(
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
    @query
    def contract_template_list(
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
    @query
    def contract_template_lock(self, *, id: int | None) -> Row | None: ...
    @query
    def contract_template_schedules(self, *, ids: Sequence[int | None] | None) -> list[Row]: ...
    @query
    def contract_template_set_logo(self, *, file_id: int | None, id: int | None) -> int: ...
    @query
    def contract_template_set_word(self, *, word: str | None, clauses: Sequence[str] | None, id: int | None) -> int: ...
    @query
    def contract_template_update(
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
    @query
    def contract_template_word(self, *, id: int | None) -> Row | None: ...
    @query
    def contract_template_word_file(self, *, id: int | None) -> Any: ...
    @query
    def contract_unexecute(self, *, id: int | None) -> int: ...
    @query
    def contract_update(
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
    @query
    def contracts_expire(self) -> int: ...
    @query
    def databases_left(self) -> list[Row]: ...
    @query
    def deal_batch_lock(self, *, ids: Sequence[int | None] | None, external_ids: Sequence[str] | None) -> list[Row]: ...
    @query
    def deal_currency(self, *, id: int | None) -> Any: ...
    @query
    def deal_delete(self, *, ids: Sequence[int | None] | None) -> int: ...
    @query
    def deal_get(self, *, id: int | None) -> Row | None: ...
    @query
    def deal_insert(self, *, rows: str | None) -> list[Row]: ...
    @query
    def deal_list(
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
        fields: str | None = None,
        bounds: str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        total: int | None = None,
        sort_field: str | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    @query
    def deal_stage_delete(self, *, id: int | None) -> int: ...
    @query
    def deal_stage_get(self, *, id: int | None) -> Row | None: ...
    @query
    def deal_stage_insert(self, *, name: str | None, position: int | None) -> Any: ...
    @query
    def deal_stage_list(
        self,
        *,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    @query
    def deal_stage_update(self, *, name: object | None, position: int | None, id: int | None) -> int: ...
    @query
    def deal_update(self, *, rows: str | None) -> int: ...
    @query
    def email_asked_today(self, *, to_email: object | None) -> Any: ...
    @query
    def email_bounce(self, *, message_id: str | None, error: object | None) -> Row | None: ...
    @query
    def email_claim(self, *, id: int | None) -> Any: ...
    @query
    def email_get(self, *, patience: float | None, id: int | None) -> Row | None: ...
    @query
    def email_insert(
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
    @query
    def email_release(
        self,
        *,
        id: int | None,
        unanswered: bool | None,
        error: object | None,
        claim: int | None,
    ) -> int: ...
    @query
    def email_remind(self, *, days: Sequence[int] | None, id: int | None) -> int: ...
    @query
    def email_secret_issue(self, *, id: int | None) -> Any: ...
    @query
    def email_secret_keep(self, *, sealed_secret: object | None, id: int | None) -> int: ...
    @query
    def email_settle(
        self,
        *,
        id: int | None,
        status: object | None,
        error: object | None,
        sent_at: datetime.datetime | str | None,
    ) -> Row | None: ...
    @query
    def email_settle_invite(
        self,
        *,
        invite_part: str | None,
        status: str | None,
        error: object | None,
        sent_at: datetime.datetime | str | None,
        invite_id: int | None,
    ) -> int: ...
    @query
    def email_settle_signer(
        self,
        *,
        status: str | None,
        error: object | None,
        signer_id: int | None,
        to_email: object | None,
    ) -> Row | None: ...
    @query
    def email_signer_lock(self, *, id: int | None) -> list[Row]: ...
    @query
    def email_transmitting(self, *, id: int | None, claim: int | None) -> int: ...
    @query
    def erasure_lock(self) -> Row | None: ...
    @query
    def export_recorded(self, *, type: str | None, filter: str | None) -> Any: ...
    @query
    def extension_names(self) -> list[Row]: ...
    @query
    def field_definitions(self, *, kind: str | None) -> list[Row]: ...
    @query
    def field_delete(self, *, id: int | None) -> int: ...
    @query
    def field_get(self, *, id: int | None) -> Row | None: ...
    @query
    def field_hits(
        self,
        *,
        kind: str | None,
        fields: str | None,
        field_min: str | None,
        field_max: str | None,
        most: int | None,
    ) -> Row | None: ...
    @query
    def field_insert(
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
    @query
    def field_list(
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
    @query
    def field_tags(self) -> list[Row]: ...
    @query
    def field_update(
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
    @query
    def file_chunk_get(self, *, file_id: int | None, position: object | None) -> Any: ...
    @query
    def file_chunk_insert(self, *, file_id: int | None, position: object | None, content: bytes | None) -> int: ...
    @query
    def file_delete(self, *, ids: Sequence[int | None] | None) -> int: ...
    @query
    def file_get(self, *, id: int | None) -> Row | None: ...
    @query
    def file_insert(
        self,
        *,
        filename: object | None,
        content_type: object | None,
        size: object | None,
        sha256: object | None,
        created_by: int | None,
    ) -> Any: ...
    @query
    def file_organization_logo(self) -> Any: ...
    @query
    def file_storage_total(self) -> Row | None: ...
    @query
    def file_storage_use(self) -> Any: ...
    @query
    def files_damaged(self, *, digests: bool | None = None) -> list[Row]: ...
    @query
    def foreign_objects(self) -> list[Row]: ...
    @query
    def form_answers_about(
        self,
        *,
        user_id: int | None = None,
        id: int | None,
        printed: bool | None = None,
    ) -> Row | None: ...
    @query
    def form_answers_enter(
        self,
        *,
        user_id: int | None,
        request_id: str | None = None,
        organization_id: int | None,
    ) -> Row | None: ...
    @query
    def form_logo_content(self, *, sha256: str | None) -> Row | None: ...
    @query
    def form_look(self) -> Row | None: ...
    @query
    def form_responses(
        self,
        *,
        template_id: int | None,
        version_id: int | None,
        status: Sequence[str] | None,
        first: datetime.date | None = None,
        last: datetime.date | None = None,
    ) -> list[Row]: ...
    @query
    def form_surroundings(self) -> Row | None: ...
    @query
    def form_versions_answered(
        self,
        *,
        template_id: int | None,
        status: Sequence[str] | None,
        first: datetime.date | None = None,
        last: datetime.date | None = None,
    ) -> list[Row]: ...
    @query
    def health_probe(self) -> Row | None: ...
    @query
    def health_probe_patience(self, *, statement_timeout: str | None) -> Row | None: ...
    @query
    def idempotency_find(self, *, scope: str | None, key: str | None) -> Row | None: ...
    @query
    def idempotency_forget(self, *, scope: str | None, key: str | None) -> int: ...
    @query
    def idempotency_keep(
        self,
        *,
        scope: object | None,
        key: object | None,
        request_hash: object | None,
        status: int | None,
        headers: str | None,
        body: bytes | None,
    ) -> int: ...
    @query
    def idempotency_keys_purge(self) -> int: ...
    @query
    def idempotency_lock(self, *, key: str | None) -> Row | None: ...
    @query
    def indexes_leaky(self) -> list[Row]: ...
    @query
    def interview_copy_refused(self, *, error: object | None, id: int | None) -> int: ...
    @query
    def interview_invite_email(self, *, id: int | None) -> Row | None: ...
    @query
    def interview_invite_expire(self, *, id: int | None) -> Any: ...
    @query
    def interview_invite_get(self, *, forms_url: str | None, id: int | None) -> Row | None: ...
    @query
    def interview_invite_insert(
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
    @query
    def interview_invite_list(
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
    @query
    def interview_invite_not_mailed(
        self,
        *,
        email_status: str | None,
        email_error: str | None,
        id: int | None,
    ) -> int: ...
    @query
    def interview_invite_renew(self, *, id: int | None, expires_at: datetime.datetime | str | None) -> Row | None: ...
    @query
    def interview_invite_requeue(self, *, id: int | None) -> Row | None: ...
    @query
    def interview_responses_get(self, *, id: int | None) -> Row | None: ...
    @query
    def interview_tallies_fold(self) -> int: ...
    @query
    def interview_template_add_version(
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
    @query
    def interview_template_delete(self, *, id: int | None) -> int: ...
    @query
    def interview_template_facts(
        self,
        *,
        template_id: int | None,
        first: datetime.date | None = None,
        last: datetime.date | None = None,
    ) -> list[Row]: ...
    @query
    def interview_template_get(self, *, id: int | None) -> Row | None: ...
    @query
    def interview_template_insert(
        self,
        *,
        name: object | None,
        slug: object | None,
        public_slug: object | None,
        lead_capture_enabled: object | None,
    ) -> Any: ...
    @query
    def interview_template_languages(self, *, id: int | None) -> Any: ...
    @query
    def interview_template_list(
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
    @query
    def interview_template_overdue(
        self,
        *,
        template_id: int | None,
        first: datetime.date | None = None,
        last: datetime.date | None = None,
    ) -> Any: ...
    @query
    def interview_template_parts(self, *, template_id: int | None, names: Sequence[str] | None) -> list[Row]: ...
    @query
    def interview_template_update(
        self,
        *,
        name: object | None,
        slug: object | None,
        public_slug: object | None,
        lead_capture_enabled: object | None,
        id: int | None,
    ) -> Any: ...
    @query
    def interview_version_get(self, *, id: int | None) -> Row | None: ...
    @query
    def invitation_activate(
        self,
        *,
        token_hash: str | None,
        name: str | None,
        password_hash: str | None,
    ) -> Row | None: ...
    @query
    def invitation_answer(self, *, user_id: int | None, id: int | None, outcome: str | None) -> Any: ...
    @query
    def invitation_decline(self, *, token_hash: str | None) -> Any: ...
    @query
    def invitation_delete(self, *, user_id: int | None) -> int: ...
    @query
    def invitation_get(self, *, user_id: int | None) -> Row | None: ...
    @query
    def invitation_insert(
        self,
        *,
        email: str | None,
        name: str | None,
        role: str | None,
        team_id: int | None,
        invited_by: int | None,
    ) -> Any: ...
    @query
    def invitation_join(
        self,
        *,
        token_hash: str | None,
        user_id: int | None,
        password_hash: str | None,
    ) -> Row | None: ...
    @query
    def invitation_send(self, *, user_id: int | None, invited_by: int | None) -> Any: ...
    @query
    def invitation_update(
        self,
        *,
        name: str | None,
        role: str | None,
        team_id: int | None,
        user_id: int | None,
    ) -> int: ...
    @query
    def invitation_withdraw(self, *, organization_id: int | None, email: str | None) -> int: ...
    @query
    def invitations_of(self, *, user_id: int | None) -> list[Row]: ...
    @query
    def invitations_purge(self) -> int: ...
    @query
    def invite_emails(self, *, id: int | None) -> list[Row]: ...
    @query
    def invite_token_newest(self, *, organization_id: int | None) -> Any: ...
    @query
    def invites_expire(self) -> int: ...
    @query
    def keys_taken(self, *, named: str | None) -> list[Row]: ...
    @query
    def lead_batch_lock(self, *, ids: Sequence[int | None] | None, external_ids: Sequence[str] | None) -> list[Row]: ...
    @query
    def lead_company_fill(self, *, fields: str | None, id: int | None) -> int: ...
    @query
    def lead_company_find(self, *, company: str | None) -> Any: ...
    @query
    def lead_contact_employ(self, *, company_id: int | None, contact_id: int | None) -> int: ...
    @query
    def lead_contact_fill(
        self,
        *,
        company_id: int | None,
        fields: str | None,
        contact_id: int | None,
        id: int | None,
    ) -> int: ...
    @query
    def lead_contact_find(self, *, email: str | None, name: str | None) -> Any: ...
    @query
    def lead_contact_insert(self, *, company_id: int | None, fields: str | None, id: int | None) -> Any: ...
    @query
    def lead_days(self, *, date_from: datetime.date | None, date_to: datetime.date | None) -> Row | None: ...
    @query
    def lead_deal_stage(self, *, stage_id: int | None) -> Any: ...
    @query
    def lead_delete(self, *, ids: Sequence[int | None] | None) -> int: ...
    @query
    def lead_disqualify(self, *, reason: str | None, id: int | None) -> int: ...
    @query
    def lead_duplicate_ids(self, *, id: int | None) -> Any: ...
    @query
    def lead_duplicate_list(
        self,
        *,
        id: int | None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
    ) -> Row | None: ...
    @query
    def lead_email_list(
        self,
        *,
        id: int | None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
    ) -> Row | None: ...
    @query
    def lead_export(
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
        bounds: str | None = None,
        ids: Sequence[int | None] | None = None,
        scope: str | None = None,
    ) -> list[Row]: ...
    @query
    def lead_get(self, *, id: int | None) -> Row | None: ...
    @query
    def lead_import_accept(self, *, options: str | None, file_id: int | None, total: int | None) -> Any: ...
    @query
    def lead_import_analyze(self) -> int: ...
    @query
    def lead_import_analyze_matches(self) -> int: ...
    @query
    def lead_import_begin(self) -> int: ...
    @query
    def lead_import_begin_results(self) -> int: ...
    @query
    def lead_import_begin_task(self, *, id: int | None) -> Row | None: ...
    @query
    def lead_import_call(self) -> list[Row]: ...
    @query
    def lead_import_compare(self, *, conflicts: object | None) -> int: ...
    @query
    def lead_import_conclude(self, *, dry_run: bool | None) -> int: ...
    @query
    def lead_import_copy(self) -> int: ...
    @query
    def lead_import_counts(self) -> list[Row]: ...
    @query
    def lead_import_end(
        self,
        *,
        id: int | None,
        error: str | None,
        report: str | None,
        rows_file_id: int | None,
    ) -> Any: ...
    @query
    def lead_import_fill(self, *, cleared: Sequence[str] | None) -> int: ...
    @query
    def lead_import_fold(self, *, columns: Sequence[str] | None) -> int: ...
    @query
    def lead_import_fold_fields(self) -> int: ...
    @query
    def lead_import_follow(self) -> int: ...
    @query
    def lead_import_get(self, *, id: int | None) -> Row | None: ...
    @query
    def lead_import_group(self) -> int: ...
    @query
    def lead_import_group_names(self) -> int: ...
    @query
    def lead_import_hold(self) -> int: ...
    @query
    def lead_import_insert(self, *, defaults: str | None) -> int: ...
    @query
    def lead_import_keep(self, *, total: int | None, rows_file_id: int | None) -> Any: ...
    @query
    def lead_import_listed(self, *, result: Sequence[str] | None = None) -> Row | None: ...
    @query
    def lead_import_lock(self) -> Any: ...
    @query
    def lead_import_loops(self, *, allowed: bool | None) -> Any: ...
    @query
    def lead_import_match_emails(self) -> int: ...
    @query
    def lead_import_match_external_ids(self) -> int: ...
    @query
    def lead_import_match_ids(self) -> int: ...
    @query
    def lead_import_match_names(self) -> int: ...
    @query
    def lead_import_nameless(self, *, reason: object | None) -> list[Row]: ...
    @query
    def lead_import_progress(self, *, done: int | None, id: int | None) -> int: ...
    @query
    def lead_import_refuse(self, *, on_duplicate: object | None) -> list[Row]: ...
    @query
    def lead_import_restore(self) -> int: ...
    @query
    def lead_import_role_words(self) -> Any: ...
    @query
    def lead_import_rows(self, *, result: Sequence[str] | None = None) -> list[Row]: ...
    @query
    def lead_import_rows_file(self, *, id: int | None) -> Any: ...
    @query
    def lead_import_same_addresses(self, *, rows: Sequence[int] | None) -> list[Row]: ...
    @query
    def lead_import_seats(self) -> list[Row]: ...
    @query
    def lead_import_skip(self) -> int: ...
    @query
    def lead_import_taken(self, *, reason: object | None) -> list[Row]: ...
    @query
    def lead_import_update(self) -> int: ...
    @query
    def lead_imports_open(self) -> Any: ...
    @query
    def lead_imports_purge(self) -> int: ...
    @query
    def lead_insert(self, *, rows: str | None) -> list[Row]: ...
    @query
    def lead_link_emails(
        self,
        *,
        contact_id: int | None,
        company_id: int | None,
        deal_id: int | None,
        id: int | None,
    ) -> int: ...
    @query
    def lead_link_notes(
        self,
        *,
        contact_id: int | None,
        company_id: int | None,
        deal_id: int | None,
        id: int | None,
    ) -> int: ...
    @query
    def lead_link_tasks(
        self,
        *,
        contact_id: int | None,
        company_id: int | None,
        deal_id: int | None,
        id: int | None,
    ) -> int: ...
    @query
    def lead_list(
        self,
        *,
        search: Sequence[str] | None = None,
        tag: Sequence[str] | None = None,
        status: Sequence[str] | None = None,
        source: str | None = None,
        external_id: str | None = None,
        email: str | None = None,
        assigned_to: int | None = None,
        user_id: int | None = None,
        date_from: datetime.datetime | str | None = None,
        date_to: datetime.datetime | str | None = None,
        updated_since: datetime.datetime | str | None = None,
        fields: str | None = None,
        bounds: str | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        total: int | None = None,
        sort_field: str | None = None,
        limit: int | None,
        offset: int | None,
        scope: str | None = None,
        sort_by: str | None = None,
        sort_dir: str | None = None,
    ) -> Row | None: ...
    @query
    def lead_lock(self, *, id: int | None) -> Row | None: ...
    @query
    def lead_match_companies(self, *, company: str | None) -> list[Row]: ...
    @query
    def lead_match_contacts(self, *, email: str | None) -> list[Row]: ...
    @query
    def lead_qualification_turn(self, *, organization_id: int | None) -> Row | None: ...
    @query
    def lead_qualified(
        self,
        *,
        contact_id: int | None,
        company_id: int | None,
        deal_id: int | None,
        id: int | None,
    ) -> int: ...
    @query
    def lead_update(self, *, rows: str | None) -> int: ...
    @query
    def login_account(self, *, email: str | None) -> Row | None: ...
    @query
    def login_failed(
        self,
        *,
        email: str | None,
        client: str | None,
        address: str | None,
        request_id: str | None = None,
    ) -> Any: ...
    @query
    def login_recorded(self, *, session_id: int | None, request_id: str | None = None) -> Any: ...
    @query
    def login_rights(self) -> Row | None: ...
    @query
    def login_roles(self) -> list[Row]: ...
    @query
    def login_settings(self) -> list[Row]: ...
    @query
    def logins_keep(self) -> Any: ...
    @query
    def logins_present(self) -> list[Row]: ...
    @query
    def mail_day_spend(self, *, kind: object | None, quota: int | None) -> Any: ...
    @query
    def mail_day_used(self, *, kind: object | None) -> Any: ...
    @query
    def mail_days_purge(self) -> int: ...
    @query
    def mail_hour_end(self, *, user_id: int | None, ends_at: datetime.datetime | str | None) -> int: ...
    @query
    def mail_hour_spend(self, *, user_id: int | None) -> Row | None: ...
    @query
    def membership_list(self, *, user_id: int | None) -> list[Row]: ...
    @query
    def name_claim(self, *, kind: str | None, name: str | None, organization_id: int | None) -> Any: ...
    @query
    def note_delete(self, *, id: int | None, lead_id: int | None, contract_id: int | None) -> int: ...
    @query
    def note_get(self, *, id: int | None, lead_id: int | None, contract_id: int | None) -> Row | None: ...
    @query
    def note_insert(
        self,
        *,
        content: str | None,
        created_by: int | None,
        lead_id: int | None,
        contract_id: int | None,
    ) -> Any: ...
    @query
    def note_list(
        self,
        *,
        lead_id: int | None = None,
        contract_id: int | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
    ) -> Row | None: ...
    @query
    def notification_digest(self, *, user_id: int | None, digest_at: datetime.datetime | str | None) -> list[Row]: ...
    @query
    def notification_emails_about(self, *, user_id: int | None) -> Row | None: ...
    @query
    def notification_emails_get(self, *, user_id: int | None) -> Row | None: ...
    @query
    def notification_emails_set(
        self,
        *,
        user_id: int | None,
        interviews: bool | None,
        leads: bool | None,
        signatures: bool | None,
        webhooks: bool | None,
    ) -> int: ...
    @query
    def notification_gather(self, *, digest_at: datetime.datetime | str | None, id: int | None) -> int: ...
    @query
    def notification_get(self, *, id: int | None) -> Row | None: ...
    @query
    def notification_insert(
        self,
        *,
        user_id: int | None,
        event: object | None,
        effect_key: object | None,
        title: object | None,
        body: object | None,
        data: str | None,
    ) -> Any: ...
    @query
    def notification_interview(self, *, invite_id: int | None) -> Row | None: ...
    @query
    def notification_lead(self, *, template_id: int | None, lead_id: int | None) -> Row | None: ...
    @query
    def notification_list(
        self,
        *,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
        unread: bool | None = None,
    ) -> Row | None: ...
    @query
    def notification_read(self, *, id: int | None) -> int: ...
    @query
    def notification_read_all(self) -> int: ...
    @query
    def notification_recipients(
        self,
        *,
        assigned_to: int | None,
        created_by: int | None,
        kind: str | None,
    ) -> list[Row]: ...
    @query
    def notification_told(self, *, id: int | None) -> list[Row]: ...
    @query
    def organization_currency(self) -> Any: ...
    @query
    def organization_email(self) -> Any: ...
    @query
    def organization_enter(self, *, request_id: str | None = None, organization_id: int | None) -> Row | None: ...
    @query
    def organization_find(self, *, slug: str | None) -> Any: ...
    @query
    def organization_get(self) -> Row | None: ...
    @query
    def organization_ids(self) -> list[Row]: ...
    @query
    def organization_insert(
        self,
        *,
        name: object | None,
        slug: object | None,
        time_zone: object | None,
        currency: object | None,
        locale: object | None,
    ) -> Any: ...
    @query
    def organization_letterhead(self) -> Row | None: ...
    @query
    def organization_set_logo(self, *, file_id: int | None) -> int: ...
    @query
    def organization_time_zone_known(self, *, time_zone: str | None) -> Any: ...
    @query
    def organization_update(
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
    @query
    def outbox_backlog(self) -> list[Row]: ...
    @query
    def outbox_claim(self, *, seconds: float | None, id: int | None) -> int: ...
    @query
    def outbox_done(self, *, error: str | None, id: int | None) -> int: ...
    @query
    def outbox_hold(self, *, id: int | None) -> Any: ...
    @query
    def outbox_insert(
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
    @query
    def outbox_lease(
        self,
        *,
        queue: str | None,
        limit: int | None,
        each: int | None,
        seconds: float | None,
    ) -> list[Row]: ...
    @query
    def outbox_postpone(self, *, error: str | None, seconds: float | None, id: int | None) -> int: ...
    @query
    def outbox_purge(self) -> int: ...
    @query
    def outbox_take(self, *, id: int | None) -> Row | None: ...
    @query
    def overdue_end(self) -> Any: ...
    @query
    def own_key_get(self) -> Row | None: ...
    @query
    def password_change(
        self,
        *,
        user_id: int | None,
        known_hash: str | None,
        new_hash: str | None,
        session_id: int | None,
    ) -> Any: ...
    @query
    def password_forgot(self, *, email: str | None, expires_at: datetime.datetime | str | None) -> Any: ...
    @query
    def password_hash(self, *, user_id: int | None) -> Any: ...
    @query
    def password_reset(self, *, token_hash: str | None, password_hash: str | None) -> Any: ...
    @query
    def person_companies_blank(
        self,
        *,
        addresses: Sequence[str] | None,
        phones: Sequence[str] | None,
        patterns: Sequence[str] | None,
        texts: Sequence[str] | None,
        companies: Sequence[int | None] | None,
    ) -> int: ...
    @query
    def person_contracts(
        self,
        *,
        deals: Sequence[int | None] | None,
        patterns: Sequence[str] | None,
        requests: Sequence[int | None] | None,
        companies: Sequence[int | None] | None,
    ) -> list[Row]: ...
    @query
    def person_contracts_blank(
        self,
        *,
        patterns: Sequence[str] | None,
        contracts: Sequence[int | None] | None,
    ) -> int: ...
    @query
    def person_contracts_lock(self, *, contracts: Sequence[int | None] | None) -> list[Row]: ...
    @query
    def person_copies_end(self, *, addresses: Sequence[str] | None) -> list[Row]: ...
    @query
    def person_corrections_blank(self, *, corrections: Sequence[int | None] | None) -> list[Row]: ...
    @query
    def person_data(
        self,
        *,
        leads: Sequence[int | None] | None,
        contacts: Sequence[int | None] | None,
        invites: Sequence[int | None] | None,
        emails: Sequence[int | None] | None,
        deals: Sequence[int | None] | None,
        signers: Sequence[int | None] | None,
    ) -> list[Row]: ...
    @query
    def person_deals_release(
        self,
        *,
        contacts: Sequence[int | None] | None,
        patterns: Sequence[str] | None,
        texts: Sequence[str] | None,
        deals: Sequence[int | None] | None,
    ) -> int: ...
    @query
    def person_documents_delete(self, *, contracts: Sequence[int | None] | None) -> list[Row]: ...
    @query
    def person_emails_delete(self, *, emails: Sequence[int | None] | None) -> int: ...
    @query
    def person_find(self, *, id: int | None) -> Row | None: ...
    @query
    def person_following_lock(self) -> list[Row]: ...
    @query
    def person_invites_delete(self, *, invites: Sequence[int | None] | None) -> int: ...
    @query
    def person_letters_delete(
        self,
        *,
        requests: Sequence[int | None] | None,
        patterns: Sequence[str] | None,
    ) -> int: ...
    @query
    def person_lock(
        self,
        *,
        leads: Sequence[int | None] | None,
        contacts: Sequence[int | None] | None,
        invites: Sequence[int | None] | None,
    ) -> Row | None: ...
    @query
    def person_notes_delete(
        self,
        *,
        leads: Sequence[int | None] | None,
        contacts: Sequence[int | None] | None,
    ) -> list[Row]: ...
    @query
    def person_quotes_blank(self, *, patterns: Sequence[str] | None, deals: Sequence[int | None] | None) -> int: ...
    @query
    def person_requests(
        self,
        *,
        requests: Sequence[int | None] | None,
        contracts: Sequence[int | None] | None,
    ) -> list[Row]: ...
    @query
    def person_requests_blank(
        self,
        *,
        patterns: Sequence[str] | None,
        contracts: Sequence[int | None] | None,
        requests: Sequence[int | None] | None,
    ) -> int: ...
    @query
    def person_revisions_blank(
        self,
        *,
        patterns: Sequence[str] | None,
        contracts: Sequence[int | None] | None,
    ) -> int: ...
    @query
    def person_signers_delete(
        self,
        *,
        signers: Sequence[int | None] | None,
        requests: Sequence[int | None] | None,
    ) -> int: ...
    @query
    def person_tasks_delete(
        self,
        *,
        leads: Sequence[int | None] | None,
        contacts: Sequence[int | None] | None,
    ) -> list[Row]: ...
    @query
    def person_words(
        self,
        *,
        leads: Sequence[int | None] | None,
        contacts: Sequence[int | None] | None,
        invites: Sequence[int | None] | None,
        signers: Sequence[int | None] | None,
        corrections: Sequence[int | None] | None,
        addresses: Sequence[str] | None,
    ) -> Row | None: ...
    @query
    def picture_delete(self, *, id: int | None) -> int: ...
    @query
    def picture_file(self, *, id: int | None) -> Any: ...
    @query
    def picture_files(self, *, ids: Sequence[int | None] | None) -> list[Row]: ...
    @query
    def picture_get(self, *, id: int | None) -> Row | None: ...
    @query
    def picture_insert(
        self,
        *,
        name: object | None,
        file_id: int | None,
        width: object | None,
        height: object | None,
    ) -> Any: ...
    @query
    def picture_list(
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
    @query
    def picture_update(self, *, name: object | None, id: int | None) -> int: ...
    @query
    def placement_holder(self, *, kind: str | None, key: str | None) -> Any: ...
    @query
    def placement_list(self, *, since: datetime.datetime | str | None) -> list[Row]: ...
    @query
    def public_answers_lock(self, *, invite_id: int | None) -> Any: ...
    @query
    def public_answers_merge(
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
    @query
    def public_capture_get(self, *, logos_url: str | None, template_id: int | None) -> Row | None: ...
    @query
    def public_capture_id(self, *, of: str | None) -> Any: ...
    @query
    def public_capture_later(
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
    @query
    def public_capture_lead(
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
    @query
    def public_capture_open(self, *, request_id: str | None = None, slug: str | None) -> Row | None: ...
    @query
    def public_capture_response(
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
    @query
    def public_capture_state(self, *, template_id: int | None) -> Row | None: ...
    @query
    def public_fields(self) -> list[Row]: ...
    @query
    def public_file_same(self, *, ids: Sequence[int | None] | None, sha256: object | None) -> Any: ...
    @query
    def public_files_prune(self, *, invite_id: int | None) -> int: ...
    @query
    def public_interview_get(
        self,
        *,
        logos_url: str | None,
        readable_days: int | None,
        invite_id: int | None,
    ) -> Row | None: ...
    @query
    def public_interview_opened(self, *, invite_id: int | None) -> int: ...
    @query
    def public_interview_submit(
        self,
        *,
        answers: str | None,
        rep_flags: str | None,
        lead_id: int | None,
        tally: str | None,
        shown: Sequence[str] | None,
        invite_id: int | None,
    ) -> Row | None: ...
    @query
    def public_invite_enter(self, *, token: str | None, request_id: str | None = None) -> Row | None: ...
    @query
    def public_invite_open(self, *, token: str | None, request_id: str | None = None) -> Row | None: ...
    @query
    def public_invite_status(self, *, invite_id: int | None) -> Any: ...
    @query
    def public_preview_open(
        self,
        *,
        template_id: int | None,
        request_id: str | None = None,
        organization_id: int | None,
    ) -> Row | None: ...
    @query
    def public_reminders_decline(self, *, invite_id: int | None) -> int: ...
    @query
    def public_signing_ask(self, *, browser_hash: str | None) -> Row | None: ...
    @query
    def public_signing_code(self, *, code: str | None, browser_hash: str | None) -> Any: ...
    @query
    def public_signing_complete(self, *, request_id: int | None = None) -> int: ...
    @query
    def public_signing_decline(
        self,
        *,
        reason: object | None,
        address: object | None,
        user_agent: object | None,
        signer_id: int | None,
    ) -> int: ...
    @query
    def public_signing_enter(
        self,
        *,
        token_hash: str | None,
        secret: str | None,
        request_id: str | None = None,
    ) -> Row | None: ...
    @query
    def public_signing_get(
        self,
        *,
        copy_days: int | None,
        signer_id: int | None,
        request_id: int | None = None,
    ) -> Row | None: ...
    @query
    def public_signing_lock(self, *, request_id: int | None = None) -> Row | None: ...
    @query
    def public_signing_picture(self, *, id: int | None) -> Any: ...
    @query
    def public_signing_sign(
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
    @query
    def public_signing_state(
        self,
        *,
        copy_days: int | None,
        typed: str | None = None,
        signer_id: int | None,
        request_id: int | None = None,
        intact: bool | None = None,
    ) -> Row | None: ...
    @query
    def public_signing_viewed(self, *, signer_id: int | None) -> int: ...
    @query
    def quote_delete(self, *, id: int | None) -> int: ...
    @query
    def quote_get(self, *, id: int | None) -> Row | None: ...
    @query
    def quote_insert(
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
    @query
    def quote_line_clear(self, *, quote_id: int | None) -> int: ...
    @query
    def quote_line_insert(self, *, quote_id: int | None, lines: str | None) -> int: ...
    @query
    def quote_list(
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
    @query
    def quote_lock(self, *, id: int | None) -> Row | None: ...
    @query
    def quote_number_lock(self) -> Row | None: ...
    @query
    def quote_number_next(self) -> Any: ...
    @query
    def quote_sums(self, *, id: int | None) -> Row | None: ...
    @query
    def quote_update(
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
    @query
    def record_counts_fold(self) -> int: ...
    @query
    def references_missing(self, *, named: str | None) -> list[Row]: ...
    @query
    def refresh_token_rotate(
        self,
        *,
        token_hash: str | None,
        new_token_hash: str | None,
        expires_at: datetime.datetime | str | None,
        session_id: int | None,
        organization_id: int | None,
        family_hash: str | None,
    ) -> Row | None: ...
    @query
    def reset_links_end(self, *, user_id: int | None) -> Any: ...
    @query
    def role_enter(self, *, role: str | None) -> Row | None: ...
    @query
    def schema_parts(self) -> list[Row]: ...
    @query
    def search_only(self, *, schema: str | None) -> Any: ...
    @query
    def seat_choose(self, *, user_id: int | None, organization_id: int | None) -> Any: ...
    @query
    def seat_delete(self, *, user_id: int | None) -> int: ...
    @query
    def seat_find(
        self,
        *,
        email: str | None = None,
        role: str | None = None,
        slug: str | None = None,
    ) -> Row | None: ...
    @query
    def seat_get(self, *, id: int | None) -> Row | None: ...
    @query
    def seat_list(
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
    @query
    def seat_lock_admins(self) -> list[Row]: ...
    @query
    def seat_put(self, *, organization_id: int | None, user_id: int | None, role: object | None) -> int: ...
    @query
    def seat_update(
        self,
        *,
        role: str | None,
        seat_active: bool | None,
        team_id: int | None,
        user_id: int | None,
    ) -> int: ...
    @query
    def session_arrived(self, *, session_id: int | None) -> Any: ...
    @query
    def session_end(self, *, user_id: int | None, session_id: int | None) -> Any: ...
    @query
    def session_list(
        self,
        *,
        user_id: int | None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        session_id: int | None,
        limit: int | None,
        offset: int | None,
    ) -> Row | None: ...
    @query
    def session_logout(self, *, token_hash: str | None, family_hash: str | None) -> Any: ...
    @query
    def session_open(self, *, user_id: int | None, organization_id: int | None, seconds: float | None) -> Any: ...
    @query
    def session_start(
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
    @query
    def sessions_end(self, *, user_id: int | None, kept_id: int | None) -> Any: ...
    @query
    def sessions_purge(self) -> Any: ...
    @query
    def signature_call_again(self, *, request_id: int | None = None) -> list[Row]: ...
    @query
    def signature_complete(self, *, file_id: int | None, seal: str | None, request_id: int | None = None) -> int: ...
    @query
    def signature_correction_insert(
        self,
        *,
        request_id: int | None = None,
        signer_id: int | None,
        corrections: str | None,
    ) -> int: ...
    @query
    def signature_document(self, *, contract_id: int | None) -> Any: ...
    @query
    def signature_email(self, *, copy_days: int | None, signer_id: int | None) -> Row | None: ...
    @query
    def signature_ending(self, *, request_id: int | None = None) -> Row | None: ...
    @query
    def signature_event_by_member(self, *, request_id: int | None = None, event: object | None) -> int: ...
    @query
    def signature_event_insert(
        self,
        *,
        address: str | None = None,
        user_agent: str | None = None,
        request_id: int | None = None,
        signer_id: int | None,
        event: object | None,
    ) -> int: ...
    @query
    def signature_name_printed(self, *, printed: Sequence[str] | None, name: str | None) -> Any: ...
    @query
    def signature_parties(
        self,
        *,
        contract_id: int | None,
        revision: int | None,
        content_sha256: object | None,
    ) -> list[Row]: ...
    @query
    def signature_record(self, *, contract_id: int | None) -> Row | None: ...
    @query
    def signature_remind(
        self,
        *,
        request_id: int | None = None,
        signer_id: int | None = None,
        sent_at: datetime.datetime | str | None = None,
    ) -> list[Row]: ...
    @query
    def signature_request_end(self, *, status: object | None, id: int | None) -> int: ...
    @query
    def signature_request_get(self, *, id: int | None, contract_id: int | None = None) -> Row | None: ...
    @query
    def signature_request_insert(
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
        region: object | None,
        expires_in_days: int | None,
        created_by: int | None,
    ) -> Any: ...
    @query
    def signature_request_list(
        self,
        *,
        contract_id: int | None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
    ) -> Row | None: ...
    @query
    def signature_request_lock(self, *, id: int | None, contract_id: int | None) -> Row | None: ...
    @query
    def signature_request_open(self, *, contract_id: int | None) -> Any: ...
    @query
    def signature_seal_again(self, *, id: int | None) -> int: ...
    @query
    def signature_seal_failed(self, *, error: object | None, request_id: int | None = None) -> int: ...
    @query
    def signature_seal_lock(self, *, request_id: int | None = None) -> Row | None: ...
    @query
    def signature_signed(self, *, request_id: int | None = None) -> list[Row]: ...
    @query
    def signature_signer_correct(
        self,
        *,
        name: object | None,
        title: object | None,
        email: object | None,
        id: int | None,
    ) -> Row | None: ...
    @query
    def signature_signer_get(
        self,
        *,
        id: int | None,
        request_id: int | None = None,
        contract_id: int | None,
    ) -> Row | None: ...
    @query
    def signature_signer_insert(
        self,
        *,
        request_id: int | None = None,
        name: object | None,
        title: object | None,
        email: object | None,
        party: object | None,
        turn: int | None,
    ) -> Any: ...
    @query
    def signature_source(self, *, contract_id: int | None) -> Row | None: ...
    @query
    def signature_told(self, *, request_id: int | None = None) -> list[Row]: ...
    @query
    def signature_turn(self, *, request_id: int | None = None) -> list[Row]: ...
    @query
    def signatures_expire(self, *, contract_id: int | None) -> Any: ...
    @query
    def snapshot_begin(self) -> Any: ...
    @query
    def statistics_renew(self) -> Any: ...
    @query
    def statistics_stale(self, *, least: int | None) -> list[Row]: ...
    @query
    def table_names(self) -> list[Row]: ...
    @query
    def table_sizes(self) -> list[Row]: ...
    @query
    def tables_held(self) -> list[Row]: ...
    @query
    def tables_unconfined(self) -> list[Row]: ...
    @query
    def task_delete(self, *, id: int | None, lead_id: int | None, contract_id: int | None) -> int: ...
    @query
    def task_get(self, *, id: int | None, lead_id: int | None, contract_id: int | None) -> Row | None: ...
    @query
    def task_insert(
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
    @query
    def task_list(
        self,
        *,
        lead_id: int | None = None,
        contract_id: int | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
    ) -> Row | None: ...
    @query
    def task_update(
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
    @query
    def team_delete(self, *, id: int | None) -> int: ...
    @query
    def team_get(self, *, id: int | None) -> Row | None: ...
    @query
    def team_insert(self, *, name: object | None) -> Any: ...
    @query
    def team_list(
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
    @query
    def team_update(self, *, name: object | None, id: int | None) -> int: ...
    @query
    def traces_erase(
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
    @query
    def transfer_patience(self) -> Row | None: ...
    @query
    def user_find(self, *, email: str | None) -> Row | None: ...
    @query
    def user_get(self, *, id: int | None) -> Row | None: ...
    @query
    def user_list(
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
    @query
    def user_put(self, *, name: object | None, email: object | None) -> Any: ...
    @query
    def user_set_password(self, *, id: int | None, password_hash: str | None) -> Any: ...
    @query
    def webhook_changes(
        self,
        *,
        since_offset: int | None,
        since: object | None,
        after_transaction: int | None,
        after_id: int | None,
        limit: int | None,
    ) -> list[Row]: ...
    @query
    def webhook_count(self) -> Any: ...
    @query
    def webhook_delete(self, *, id: int | None) -> int: ...
    @query
    def webhook_deliveries_purge(self) -> int: ...
    @query
    def webhook_delivery_advance(self, *, id: int | None) -> int: ...
    @query
    def webhook_delivery_claim(self, *, id: int | None) -> Row | None: ...
    @query
    def webhook_delivery_get(
        self,
        *,
        events: Sequence[str] | None,
        webhook_id: int | None,
        id: int | None,
    ) -> Row | None: ...
    @query
    def webhook_delivery_insert(
        self,
        *,
        webhook_id: int | None,
        event: object | None,
        record_type: object | None,
        record_id: int | None,
        request_id: str | None = None,
        body: object | None,
    ) -> Any: ...
    @query
    def webhook_delivery_kept(self, *, webhook_id: int | None, id: int | None) -> Row | None: ...
    @query
    def webhook_delivery_list(
        self,
        *,
        webhook_id: int | None,
        status: Sequence[str] | None = None,
        after_id: int | None = None,
        ids: Sequence[int | None] | None = None,
        limit: int | None,
        offset: int | None,
    ) -> Row | None: ...
    @query
    def webhook_delivery_noted(
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
    @query
    def webhook_delivery_reopen(self, *, webhook_id: int | None, id: int | None) -> int: ...
    @query
    def webhook_fails(self, *, webhook_id: int | None, days: int | None) -> Any: ...
    @query
    def webhook_follow(self, *, webhook_id: int | None) -> Row | None: ...
    @query
    def webhook_followed(
        self,
        *,
        after_transaction: int | None,
        after_id: int | None,
        webhook_id: int | None,
    ) -> int: ...
    @query
    def webhook_get(self, *, id: int | None) -> Row | None: ...
    @query
    def webhook_insert(
        self,
        *,
        saved_by: int | None,
        url: object | None,
        events: object | None,
        description: object | None,
        active: object | None,
    ) -> Any: ...
    @query
    def webhook_lease(self, *, limit: int | None, each: int | None, seconds: float | None) -> list[Row]: ...
    @query
    def webhook_list(
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
    @query
    def webhook_lock(self, *, id: int | None) -> Any: ...
    @query
    def webhook_pause(self, *, reason: object | None, id: int | None, url: str | None = None) -> int: ...
    @query
    def webhook_paused(self, *, id: int | None) -> Row | None: ...
    @query
    def webhook_rests(self, *, seconds: float | None, webhook_id: int | None) -> int: ...
    @query
    def webhook_secret_insert(self, *, webhook_id: int | None, secret: object | None) -> int: ...
    @query
    def webhook_secret_retire(self, *, webhook_id: int | None, hours: int | None) -> int: ...
    @query
    def webhook_secrets_signing(self, *, webhook_id: int | None) -> list[Row]: ...
    @query
    def webhook_state_begin(self, *, webhook_id: int | None) -> int: ...
    @query
    def webhook_succeeds(self, *, webhook_id: int | None) -> int: ...
    @query
    def webhook_update(
        self,
        *,
        active: object | None,
        saved_by: int | None,
        url: object | None,
        events: object | None,
        description: object | None,
        id: int | None,
    ) -> int: ...
    @query
    def webhooks_behind(self) -> list[Row]: ...
    @query
    def webhooks_counted(self) -> list[Row]: ...

queries: Queries
