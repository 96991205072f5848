"""A person's sessions: where they are logged in."""

from pipeline.database import queries
from pipeline.http.pagination import Page, list_page
from pipeline.http.security import Identity
from pipeline.validation import Values


def list_sessions(caller: Identity, query: Values) -> Page | None:
    """The Page of the caller's sessions, the one used last first; `current` is the one that asks."""
    return list_page(query, queries.session_list, user_id=caller.user_id, session_id=caller.session_id)


def end_session(caller: Identity, id: int) -> object:
    """End one of the caller's sessions, perhaps this one; False when there is none with this id."""
    return queries.session_end(user_id=caller.user_id, session_id=id)


def end_others(caller: Identity) -> bool:
    """End all of the caller's sessions but this one."""
    queries.sessions_end(user_id=caller.user_id, kept_id=caller.session_id)
    return True
