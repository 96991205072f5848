"""What the change feed answers."""

from pipeline.changes.schemas import ACTIONS, TYPES
from pipeline.http.shapes import BOOLEAN, ID, TEXT, TIMESTAMP, Shape, listed, word

CHANGE = Shape(
    "Change",
    "That a record was made, changed or deleted.",
    cursor={**TEXT, "description": "The place after this change."},
    type=word(*TYPES),
    id={**ID, "description": "The record."},
    action=word(*ACTIONS),
    at=TIMESTAMP,
)
FEED = Shape(
    "ChangeFeed",
    "Changes in the order in which they are to be followed.",
    data=listed(CHANGE),
    next={**TEXT, "description": "What to send as `after` next time."},
    more={**BOOLEAN, "description": "Whether the next part can be asked for at once."},
)
