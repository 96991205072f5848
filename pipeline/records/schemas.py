"""Common bodies of records."""

from pipeline.validation import Body, Email, Name, Text, Website, optional, required


class Party(Body):
    """A company's name, legal details and address."""

    name = required(Name())
    legal_name = optional(Name())
    registration_number = optional(Text(max_length=80))
    vat_id = optional(Text(max_length=80))
    email = optional(Email())
    phone = optional(Text(max_length=80))
    website = optional(Website())
    street = optional(Text())
    city = optional(Text())
    region = optional(Text())
    postal_code = optional(Text(max_length=80))
    country = optional(Text())
