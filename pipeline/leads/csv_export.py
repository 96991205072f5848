"""Export of leads as CSV."""

from contextlib import ExitStack

from pipeline.database import Transaction, queries
from pipeline.http.csv_export import exported
from pipeline.http.security import Identity
from pipeline.http.streams import Chunks
from pipeline.leads.csv_format import EXPORTED
from pipeline.leads.service import conditions, search_words
from pipeline.validation import Values


def export_leads(caller: Identity, filters: Values, transaction: Transaction, slot: ExitStack | None) -> Chunks:
    """The leads that LeadFilters leave as the chunks of a CSV file."""
    words = search_words(filters)
    words.pop("rare", None)
    parameters = {**conditions(caller, filters), **words}
    return exported(transaction, slot, EXPORTED, queries.lead_export, parameters)
