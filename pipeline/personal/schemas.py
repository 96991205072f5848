"""The body of an erasure."""

from pipeline.validation import Body, Text, required


class Erasure(Body):
    """The lead's email address once more, so that nobody is erased by a wrong id; its name where it has no address."""

    confirm = required(Text(max_length=511))
