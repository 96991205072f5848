"""The endpoints of companies and contacts."""

from pipeline.http.resource import Resource
from pipeline.records import bodies, customers, lists
from pipeline.security import MEMBER

companies = Resource("/companies", "Companies")
company = Resource("/companies/{id}", "A company")
contacts = Resource("/contacts", "Contacts")
contact = Resource("/contacts/{id}", "A contact")


@companies.get(access=MEMBER, query=lists.Companies())
def list_companies(request, query):
    return customers.list_companies(query)


@companies.post(access=MEMBER, body=bodies.Company(), creates=True)
def create_company(request, body):
    return customers.create_company(body)


@company.get(access=MEMBER)
def get_company(request, id):
    return customers.get_company(id)


@company.put(access=MEMBER, body=bodies.Company())
def update_company(request, id, body):
    return customers.update_company(id, body)


@company.delete(access=MEMBER)
def delete_company(request, id):
    return customers.delete_company(id)


@contacts.get(access=MEMBER, query=lists.Contacts())
def list_contacts(request, query):
    return customers.list_contacts(query)


@contacts.post(access=MEMBER, body=bodies.Contact(), creates=True)
def create_contact(request, body):
    return customers.create_contact(body)


@contact.get(access=MEMBER)
def get_contact(request, id):
    return customers.get_contact(id)


@contact.put(access=MEMBER, body=bodies.Contact())
def update_contact(request, id, body):
    return customers.update_contact(id, body)


@contact.delete(access=MEMBER)
def delete_contact(request, id):
    return customers.delete_contact(id)
