"""The endpoints of configurator definitions and configurations."""

from pipeline.http.resource import Resource
from pipeline.records import bodies, configurator, lists
from pipeline.security import ADMIN, MEMBER

definitions = Resource("/configurator-definitions", "Configurator definitions")
definition = Resource("/configurator-definitions/{id}", "A configurator definition")
configurations = Resource("/configurations", "Configurations")
configuration = Resource("/configurations/{id}", "A configuration")


@definitions.get(access=MEMBER, query=lists.ConfiguratorDefinitions())
def list_definitions(request, query):
    return configurator.list_definitions(query)


@definitions.post(access=ADMIN, body=bodies.ConfiguratorDefinition(), creates=True)
def create_definition(request, body):
    return configurator.create_definition(body)


@definition.get(access=MEMBER)
def get_definition(request, id):
    return configurator.get_definition(id)


@definition.put(access=ADMIN, body=bodies.ConfiguratorDefinition())
def update_definition(request, id, body):
    return configurator.update_definition(id, body)


@definition.delete(access=ADMIN)
def delete_definition(request, id):
    return configurator.delete_definition(id)


@configurations.get(access=MEMBER, query=lists.Configurations())
def list_configurations(request, query):
    return configurator.list_configurations(query)


@configurations.post(access=MEMBER, body=bodies.NewConfiguration(), creates=True)
def create_configuration(request, body):
    return configurator.create_configuration(body)


@configuration.get(access=MEMBER)
def get_configuration(request, id):
    return configurator.get_configuration(id)


@configuration.put(access=MEMBER, body=bodies.Configuration())
def update_configuration(request, id, body):
    return configurator.update_configuration(id, body)


@configuration.delete(access=MEMBER)
def delete_configuration(request, id):
    return configurator.delete_configuration(id)
