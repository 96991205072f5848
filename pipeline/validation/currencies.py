"""Currencies and their decimals (ISO 4217)."""

from babel.core import get_global
from babel.numbers import get_territory_currencies

# XXX means no currency.
CURRENCIES = frozenset(
    currency
    for territory in get_global("territory_currencies")
    for currency in get_territory_currencies(territory, tender=True, non_tender=True)
) - {"XXX"}
# Exceptions from two decimals; Babel's numbers are for cash. Keep equal to app.minor_unit of the database.
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
    """Returns the maximum decimals of an amount."""
    return _DECIMALS.get(currency, 2)
