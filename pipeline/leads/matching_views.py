"""What a rep looks up before qualifying: does the company or the contact exist already?"""

from pipeline.http.answers import data
from pipeline.http.resource import Resource
from pipeline.http.security import MEMBER
from pipeline.http.shapes import Data
from pipeline.leads import schemas, service, shapes

match_company = Resource("/leads/match-company", "Companies that match a lead's company")
match_contact = Resource("/leads/match-contact", "Contacts that match a lead's email")


@match_company.get(access=MEMBER, query=schemas.CompanyName(), answer=Data(shapes.COMPANY_MATCH))
def match_companies(request, query):
    return data(service.match_companies(query["company"]))


@match_contact.get(access=MEMBER, query=schemas.ContactEmail(), answer=Data(shapes.CONTACT_MATCH))
def match_contacts(request, query):
    return data(service.match_contacts(query["email"]))
