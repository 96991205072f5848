--:name contract_template_list :many
--:doc The organization's contract templates by name, without their content; primary key.
select
    template.id,
    template.organization_id,
    template.name,
    template.number_prefix,
    template.default_term_months,
    template.header_left,
    template.header_center,
    template.header_right,
    template.footer_left,
    template.footer_center,
    template.footer_right,
    template.logo,
    template.created_at,
    template.updated_at
from contract_template_records as template
order by lower(template.name), template.id;

--:name contract_template_get :one
--:doc One contract template; primary key.
select template.*
from contract_template_records as template
where template.id = cast(:id as bigint);

--:name contract_template_insert :scalar
--:doc A new contract template; answers its id.
insert into contract_templates (
    name, content, number_prefix, default_term_months, header_left, header_center, header_right, footer_left,
    footer_center, footer_right
)
values (
    :name,
    :content,
    :number_prefix,
    :default_term_months,
    :header_left,
    :header_center,
    :header_right,
    :footer_left,
    :footer_center,
    :footer_right
)
returning id;

--:name contract_template_lock :one
--:doc The writable fields of a contract template, kept from others until the end of the transaction; primary key.
select
    template.name,
    template.content,
    template.number_prefix,
    template.default_term_months,
    template.header_left,
    template.header_center,
    template.header_right,
    template.footer_left,
    template.footer_center,
    template.footer_right
from contract_templates as template
where template.id = cast(:id as bigint) and template.deleted_at is null
for update;

--:name contract_template_update :affected
--:doc Replace the fields of a contract template; contracts made from it stay as they are; primary key.
update contract_templates as template
set
    name = :name,
    content = :content,
    number_prefix = :number_prefix,
    default_term_months = :default_term_months,
    header_left = :header_left,
    header_center = :header_center,
    header_right = :header_right,
    footer_left = :footer_left,
    footer_center = :footer_center,
    footer_right = :footer_right,
    revision = template.revision + 1
where template.id = cast(:id as bigint) and template.deleted_at is null;

--:name contract_template_hide :affected
--:doc Delete a contract template for its users; its contracts keep it; primary key.
update contract_templates as template
set deleted_at = now()
where template.id = cast(:id as bigint) and template.deleted_at is null;

--:name contract_template_set_logo :affected
--:doc Give a contract template another logo, or none; primary key.
update contract_templates as template
set logo_file_id = cast(:file_id as bigint), revision = template.revision + 1
where
    template.id = cast(:id as bigint)
    and template.deleted_at is null
    and template.logo_file_id is distinct from cast(:file_id as bigint);
