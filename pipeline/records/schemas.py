"""Bodies of notes and tasks."""

from pipeline.validation import Body, Choice, Date, Id, Text, optional, required

PRIORITIES = ("low", "medium", "high")


class Note(Body):
    """A note's text."""

    content = required(Text(max_length=20_000, lines=True))


class Task(Body):
    """The writable fields of a task."""

    title = required(Text())
    description = optional(Text(max_length=20_000, lines=True))
    due_date = optional(Date())
    due_time = optional(
        Text(pattern="([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?", hint="Must be a time HH:MM or HH:MM:SS.")
    )
    priority = optional(Choice(*PRIORITIES), default="medium")
    assigned_to = optional(Id("seat"))
    contact_id = optional(Id("contact"))
    company_id = optional(Id("company"))
    deal_id = optional(Id("deal"))
