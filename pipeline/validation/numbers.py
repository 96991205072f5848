"""Numbers, ids and amounts."""

from decimal import Context, Decimal, Inexact, InvalidOperation
from typing import Any

from pipeline.validation.currencies import decimals
from pipeline.validation.types import Schema, Type
from pipeline.validation.violations import refuse

MAX_ID = 2**63 - 1
# A double keeps fifteen digits, so browsers read the same number.
PORTABLE_DIGITS = 15
MOST_MINOR = 10**PORTABLE_DIGITS
# The default context would round silently.
_EXACT = Context(prec=40, traps=[Inexact, InvalidOperation])


class Integer(Type):
    """A whole number; 1.0 is valid."""

    def __init__(self, min: int = 0, max: int = MAX_ID) -> None:
        self.min, self.max = min, max

    def read(self, given: Any) -> int:
        number = as_integer(given)
        if number is None:
            refuse("wrong_type", wanted="an integer")
        if not self.min <= number <= self.max:
            refuse("out_of_range", least=self.min, most=self.max)
        return number

    def describe(self) -> Schema:
        return {"type": "integer", "minimum": self.min, "maximum": self.max}


class Id(Integer):
    """A record's id; `of` is its kind."""

    def __init__(self, of: str | None = None) -> None:
        super().__init__(min=1)
        self.of = of


class Number(Type):
    """A number of at most 15 digits."""

    def read(self, given: Any) -> int | Decimal:
        number = as_decimal(given)
        if number is None:
            refuse("wrong_type", wanted="a number")
        if not is_portable(number):
            refuse("out_of_range", f"Must have at most {PORTABLE_DIGITS} digits.")
        integer = as_integer(number)
        return number if integer is None else integer

    def describe(self) -> Schema:
        return {"type": "number", "description": f"At most {PORTABLE_DIGITS} digits."}


class Percent(Type):
    """A number from 0 to 100, read as hundredths."""

    def read(self, given: Any) -> int:
        return _whole_units(_amount(given, 100), 2)

    def describe(self) -> Schema:
        return {"type": "number", "minimum": 0, "maximum": 100, "description": "At most 2 decimals."}


class Quantity(Type):
    """A number from 0 to `max`."""

    DECIMALS = 3

    def __init__(self, max: int) -> None:
        self.max = max

    def read(self, given: Any) -> Decimal:
        amount = _amount(given, self.max)
        _whole_units(amount, self.DECIMALS)
        return amount

    def describe(self) -> Schema:
        return {
            "type": "number",
            "minimum": 0,
            "maximum": self.max,
            "description": f"At most {self.DECIMALS} decimals.",
        }


class Money(Type):
    """An amount up to `max`, a tenth of it for three decimals, and of at most MOST_MINOR units.

    Doubles hold larger amounts without their last decimals.
    """

    def __init__(self, max: int = MOST_MINOR) -> None:
        self.max = max

    def read(self, given: Any) -> Decimal:
        return _amount(given, self.max)

    def minor_units(self, amount: Decimal, currency: str) -> int:
        """Returns minor units; raises Invalid for too many decimals."""
        places = decimals(currency)
        minor = _whole_units(amount, places, f" in {currency}")
        most = min(self.max * 100, MOST_MINOR)
        if minor > most:
            refuse("out_of_range", least=0, most=most // 10**places)
        return minor

    def describe(self) -> Schema:
        words = "The number of decimals is limited by the currency (ISO 4217): 0 for JPY, 2 for EUR, 3 for KWD."
        return {"type": "number", "minimum": 0, "maximum": self.max, "description": words}


def _amount(given: Any, most: int) -> Decimal:
    if isinstance(given, bool) or not isinstance(given, (int, Decimal)):
        refuse("wrong_type", wanted="a number")
    if not 0 <= given <= most:
        refuse("out_of_range", least=0, most=most)
    return Decimal(given)


def _whole_units(amount: Decimal, places: int, of: str = "") -> int:
    try:
        units = _EXACT.multiply(amount, 10**places)
    except (Inexact, InvalidOperation):
        units = None
    if units is None or units != units.to_integral_value():
        refuse("too_precise", most=places, of=of)
    return int(units)


def as_decimal(value: Any) -> Decimal | None:
    """Returns a finite JSON number as Decimal, else None."""
    if isinstance(value, Decimal):
        return value if value.is_finite() else None
    if isinstance(value, int) and not isinstance(value, bool):
        return Decimal(value)
    if isinstance(value, float):
        return as_decimal(Decimal(repr(value)))
    return None


def as_integer(value: Any) -> int | None:
    """Returns a whole JSON number as int, else None."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    number = as_decimal(value)
    if number is not None and number.adjusted() < 40 and number == number.to_integral_value():
        return int(number)
    return None


def is_portable(number: Decimal) -> bool:
    """Returns whether a double holds the number exactly."""
    _, digits, exponent = number.as_tuple()
    if len(digits) > PORTABLE_DIGITS * 2 or abs(int(exponent)) > PORTABLE_DIGITS * 2:
        return False
    significant = "".join(map(str, digits)).strip("0")
    return len(significant) <= PORTABLE_DIGITS and (number.is_zero() or number.adjusted() < PORTABLE_DIGITS)
