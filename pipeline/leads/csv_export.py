"""Export of leads as CSV."""

from pipeline.database import queries
from pipeline.http.csv_export import exported
from pipeline.leads.csv_format import EXPORTED
from pipeline.leads.service import conditions, search_words


def export_leads(caller, filters, transaction, slot):
    """The leads that LeadFilters leave as the chunks (bytes) of a CSV file."""
    words = search_words(filters)
    words.pop("rare", None)
    parameters = {**conditions(caller, filters), **words}
    return exported(transaction, slot, EXPORTED, queries.lead_export, parameters)
