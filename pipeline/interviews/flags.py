"""Rep flags: what a rep should notice about an interview, computed from its visible answers."""

from pipeline.interviews.conditions import holds
from pipeline.interviews.values import Answers
from pipeline.validation import Values

# A template that says nothing about flags gets these, for questions with the conventional keys.
BUILT_IN = {
    "competitive_deal": lambda visible: "competitors" in visible or visible.get("evaluating_others") is True,
    "fast_timeline": lambda visible: visible.get("timeline") in ("immediately", "within_30_days"),
    "high_compliance": lambda visible: isinstance(visible.get("compliance"), list) and len(visible["compliance"]) >= 2,
}


def rep_flags(hints: Values | None, visible: Answers) -> list[str]:
    """The flags that hold over the visible answers, in the template's order.

    Without `rep_flags` in the hints the built-in rules apply; an empty list there means no flags.
    """
    rules = (hints or {}).get("rep_flags")
    if rules is None:
        return [flag for flag, applies in BUILT_IN.items() if applies(visible)]
    return [rule["flag"] for rule in rules if holds(rule["when"], visible)]
