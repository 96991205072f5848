"""Currencies: which there are, and how many decimals an amount of each may have (ISO 4217)."""

from babel.core import get_global
from babel.numbers import get_territory_currencies

# Antarctica has none, which ISO 4217 calls XXX.
CURRENCIES = frozenset(
    currency
    for territory in get_global("territory_currencies")
    for currency in get_territory_currencies(territory, tender=True, non_tender=True)
) - {"XXX"}
# Those that have not two. Babel's numbers are those of cash: it gives RSD and IQD none, whose invoices have some. The
# function app.minor_unit of the database says the same.
_DECIMALS = {
    currency: places
    for places, currencies in {
        0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
        3: "BHD IQD JOD KWD LYD OMR TND",
        4: "CLF UYW",
    }.items()
    for currency in currencies.split()
}


def decimals(currency: str) -> int:
    """How many decimals an amount of a currency has at most."""
    return _DECIMALS.get(currency, 2)
