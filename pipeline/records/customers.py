"""Companies and contacts."""

from pipeline.http.endpoints.declared import Records
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
companies = Records("/companies", "company", body=Company(), fails=TAKEN)
companies.list("list_companies")
companies.create("create_company")
companies.get("get_company")
companies.update("update_company", "patch_company")
companies.delete("delete_company")
companies.batch("batch_companies")

contacts = Records("/contacts", "contact", body=Contact(), fails=TAKEN)
contacts.list("list_contacts")
contacts.create("create_contact")
contacts.get("get_contact")
contacts.update("update_contact", "patch_contact")
contacts.delete("delete_contact")
contacts.batch("batch_contacts")
