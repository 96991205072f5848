"""Bodies of requests with `Decimal`."""

import json
from typing import Any


def as_json(body: dict[str, Any]) -> bytes:
    """The body as JSON; the service's amounts and percentages are exact as doubles. Raises ValueError for NaN."""
    return json.dumps(body, ensure_ascii=False, allow_nan=False, default=float).encode()
