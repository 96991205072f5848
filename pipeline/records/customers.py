"""Companies and contacts."""

from pipeline.api.declared import Records
from pipeline.api.fields.own_fields import OWN, OwnValues
from pipeline.api.shapes import Record
from pipeline.http.scopes import RECORDS
from pipeline.records.schemas import Party
from pipeline.validation import Body, Email, EmailFilter, ExternalId, Id, Name, Text, optional, required


class Company(Party):
    """A company."""

    external_id = optional(ExternalId("company"))
    # Body has a property `fields`.
    values = optional(OwnValues("company"), name="fields")


class Contact(Body):
    """A contact."""

    first_name = required(Name())
    last_name = optional(Name())
    email = optional(Email())
    phone = optional(Text(max_length=80))
    job_title = optional(Text())
    company_id = optional(Id("company"))
    external_id = optional(ExternalId("contact"))
    # Body has a property `fields`.
    values = optional(OwnValues("contact"), name="fields")


TAKEN = ("external_id_taken",)
companies = Records(
    "/companies", "company", area=RECORDS, body=Company(), shows=Record("company", fields=OWN), fails=TAKEN
)
companies.list("list_companies")
companies.create("create_company")
companies.get("get_company")
companies.update("update_company", "patch_company")
companies.delete("delete_company")
companies.batch("batch_companies")

contacts = Records(
    "/contacts", "contact", area=RECORDS, body=Contact(), shows=Record("contact", fields=OWN), fails=TAKEN
)
contacts.list("list_contacts", filters={"email": EmailFilter(255)})
contacts.create("create_contact")
contacts.get("get_contact")
contacts.update("update_contact", "patch_contact")
contacts.delete("delete_contact")
contacts.batch("batch_contacts")
