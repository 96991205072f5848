"""Quotes: one document with its lines; what can be computed is computed by the database, exactly."""

from pipeline.database import dumps, queries
from pipeline.pages import list_page
from pipeline.validation import invalid_field


def list_quotes(query):
    """The Page of quotes that a Quotes query asks for."""
    return list_page(query, queries.quote_list, "quotes")


def get_quote(id):
    """One quote with its lines as JSON bytes, or None."""
    return queries.quote_get.json(id=id)


def create_quote(body):
    """A new quote with its lines: JSON bytes; 409 when its number is taken."""
    _check_dates(body)
    fields, lines = _parts(body)
    if fields["quote_number"] is None:
        queries.quote_number_lock()
        fields["quote_number"] = queries.quote_number_next()
    return _with_lines(queries.quote_insert(**fields), lines)


def update_quote(id, body):
    """Replace a quote and its lines: JSON bytes, or None; number and status left out stay."""
    _check_dates(body)
    fields, lines = _parts(body)
    if not queries.quote_update(id=id, **fields):
        return None
    queries.quote_line_clear(quote_id=id)
    return _with_lines(id, lines)


def delete_quote(id):
    """Delete a quote with its lines: how many were deleted."""
    return queries.quote_delete(id=id)


def _parts(body):
    return {name: value for name, value in body.items() if name != "lines"}, body["lines"]


def _with_lines(id, lines):
    queries.quote_line_insert(quote_id=id, lines=dumps(lines).decode())
    if queries.quote_is_overdiscounted(id=id):
        raise invalid_field("discount_total", "out_of_range", "Must not exceed the subtotal.")
    return get_quote(id)


def _check_dates(body):
    if body["quote_date"] and body["valid_until"] and body["valid_until"] < body["quote_date"]:
        raise invalid_field("valid_until", "out_of_range", "Must not lie before quote_date.")
