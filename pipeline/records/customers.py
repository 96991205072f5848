"""Companies and contacts."""

from pipeline.http.declared import record
from pipeline.records.schemas import Party
from pipeline.validation import Body, Email, Id, Text, optional, required


class Contact(Body):
    """A contact."""

    first_name = required(Text())
    last_name = optional(Text())
    email = optional(Email())
    phone = optional(Text(max_length=80))
    job_title = optional(Text())
    company_id = optional(Id("company"))


companies, company = record("/companies", "company", "companies", body=Party())
contacts, contact = record("/contacts", "contact", "contacts", body=Contact())
