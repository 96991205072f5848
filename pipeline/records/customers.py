"""Companies and contacts. Where a function answers None, there is no such record."""

from pipeline.database import queries
from pipeline.http.pagination import list_page


def list_companies(query):
    """The Page of companies that a Companies query asks for."""
    return list_page(query, queries.company_list, "companies")


def get_company(id):
    """One company as JSON bytes, or None."""
    return queries.company_get.json(id=id)


def create_company(body):
    """A new company: JSON bytes."""
    return get_company(queries.company_insert(**body))


def update_company(id, body):
    """Replace a company's fields: JSON bytes, or None."""
    queries.company_update(id=id, **body)
    return get_company(id)


def delete_company(id):
    """Delete a company: how many were deleted; 409 while something refers to it."""
    return queries.company_delete(id=id)


def list_contacts(query):
    """The Page of contacts that a Contacts query asks for."""
    return list_page(query, queries.contact_list, "contacts")


def get_contact(id):
    """One contact as JSON bytes, or None."""
    return queries.contact_get.json(id=id)


def create_contact(body):
    """A new contact: JSON bytes; 422 when there is no such company."""
    return get_contact(queries.contact_insert(**body))


def update_contact(id, body):
    """Replace a contact's fields: JSON bytes, or None."""
    queries.contact_update(id=id, **body)
    return get_contact(id)


def delete_contact(id):
    """Delete a contact: how many were deleted; 409 while something refers to it."""
    return queries.contact_delete(id=id)
