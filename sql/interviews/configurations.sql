--:name configuration_seed_state :one
--:doc An invite's data and existing configuration; primary keys, configurations (organization_id, invite_id).
select
    invite.deal_id,
    invite.status,
    invite.answers,
    invite.hidden_fields,
    version.pages,
    version.questions,
    version.field_map,
    configuration.id as configuration_id
from interview_invites as invite
join interview_template_versions as version
    on version.organization_id = invite.organization_id and version.id = invite.template_version_id
left join configurations as configuration
    on configuration.organization_id = invite.organization_id and configuration.invite_id = invite.id
where invite.id = cast(:invite_id as bigint);

--:name configurator_definition_by_slug :one
--:doc An active configurator definition; unique index on (organization_id, slug).
select
    definition.id,
    definition.platform_keys,
    definition.feature_keys,
    definition.license_types
from configurator_definitions as definition
where definition.slug = :slug and definition.active;
