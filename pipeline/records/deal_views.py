"""The endpoints of deals, their stages and quotes."""

from pipeline.http.resource import Resource
from pipeline.records import bodies, lists
from pipeline.records import deals as deal_service
from pipeline.records import quotes as quote_service
from pipeline.security import MEMBER

stages = Resource("/deal-stages", "Deal stages")
stage = Resource("/deal-stages/{id}", "A deal stage")
deals = Resource("/deals", "Deals")
deal = Resource("/deals/{id}", "A deal")
quotes = Resource("/quotes", "Quotes")
quote = Resource("/quotes/{id}", "A quote")


@stages.get(access=MEMBER, query=lists.DealStages())
def list_stages(request, query):
    return deal_service.list_stages(query)


@stages.post(access=MEMBER, body=bodies.DealStage(), creates=True)
def create_stage(request, body):
    return deal_service.create_stage(body)


@stage.get(access=MEMBER)
def get_stage(request, id):
    return deal_service.get_stage(id)


@stage.put(access=MEMBER, body=bodies.DealStage())
def update_stage(request, id, body):
    return deal_service.update_stage(id, body)


@stage.delete(access=MEMBER)
def delete_stage(request, id):
    return deal_service.delete_stage(id)


@deals.get(access=MEMBER, query=lists.Deals())
def list_deals(request, query):
    return deal_service.list_deals(query)


@deals.post(access=MEMBER, body=bodies.Deal(), creates=True)
def create_deal(request, body):
    return deal_service.create_deal(body)


@deal.get(access=MEMBER)
def get_deal(request, id):
    return deal_service.get_deal(id)


@deal.put(access=MEMBER, body=bodies.Deal())
def update_deal(request, id, body):
    return deal_service.update_deal(id, body)


@deal.delete(access=MEMBER)
def delete_deal(request, id):
    return deal_service.delete_deal(id)


@quotes.get(access=MEMBER, query=lists.Quotes())
def list_quotes(request, query):
    return quote_service.list_quotes(query)


@quotes.post(access=MEMBER, body=bodies.Quote(), creates=True)
def create_quote(request, body):
    return quote_service.create_quote(body)


@quote.get(access=MEMBER)
def get_quote(request, id):
    return quote_service.get_quote(id)


@quote.put(access=MEMBER, body=bodies.Quote())
def update_quote(request, id, body):
    return quote_service.update_quote(id, body)


@quote.delete(access=MEMBER)
def delete_quote(request, id):
    return quote_service.delete_quote(id)
