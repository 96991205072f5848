"""Companies and contacts."""

from pipeline.http.declared import batch, record
from pipeline.records.schemas import Party
from pipeline.validation import Body, Email, ExternalId, Id, Text, optional, required


class Company(Party):
    """A company."""

    external_id = optional(ExternalId("company"))


class Contact(Body):
    """A contact."""

    first_name = required(Text())
    last_name = optional(Text())
    email = optional(Email())
    phone = optional(Text(max_length=80))
    job_title = optional(Text())
    company_id = optional(Id("company"))
    external_id = optional(ExternalId("contact"))


TAKEN = ("external_id_taken",)
companies, company = record("/companies", "company", "companies", body=Company(), fails=TAKEN)
company_batch = batch("/companies", "company", "companies", body=Company())
contacts, contact = record("/contacts", "contact", "contacts", body=Contact(), fails=TAKEN)
contact_batch = batch("/contacts", "contact", "contacts", body=Contact())
