--:name contract_sources :one
--:doc A contract's sources, each value under its tag, and {key: label}; primary keys, quotes_deal.
select
    template.id as template_id,
    template.name as template_name,
    coalesce(template.word ->> 'content', template.content) as template_content,
    template.word -> 'files' as word_files,
    template.number_prefix,
    template.default_term_months,
    template.logo_file_id,
    template.header_left, template.header_center, template.header_right, template.footer_left,
    template.footer_center, template.footer_right,
    coalesce(template.language, organization.locale) as locale,
    template.direction,
    template.page_size,
    template.orientation,
    template.watermark,
    coalesce(organization.country, substring(organization.locale from '-([A-Z]{2})$')) as region,
    coalesce(quote.currency, deal.currency, organization.currency) as currency,
    cast(now() at time zone organization.time_zone as date) as today,
    company.id as company_id,
    company.name as "Licensee.name",
    company.legal_name as "Licensee.legal_name",
    company.registration_number as "Licensee.registration_number",
    company.vat_id as "Licensee.vat_id",
    domain_shown(company.email) as "Licensee.email",
    company.phone as "Licensee.phone",
    company.website as "Licensee.website",
    company.street as "Licensee.street",
    company.city as "Licensee.city",
    company.region as "Licensee.region",
    company.postal_code as "Licensee.postal_code",
    company.country as "Licensee.country",
    company.fields as "Licensee.own",
    contact.name as "Licensee.contact_name",
    contact.job_title as "Licensee.contact_title",
    domain_shown(contact.email) as "Licensee.contact_email",
    deal.id as "Deal.id",
    deal.title as "Deal.title",
    money(deal.value_minor, deal.currency) as "Deal.value",
    deal.currency as "Deal.currency",
    stage.name as "Deal.stage",
    holder.name as "Deal.owner_name",
    domain_shown(holder.email) as "Deal.owner_email",
    deal.expected_close_date as "Deal.expected_close_date",
    coalesce(line_of_deal.name, deal.product_line) as "Deal.product_line",
    deal.product_line as "Deal.product_line_key",
    deal.fields as "Deal.own",
    configuration.platform_keys as "Deal.platforms",
    configuration.feature_keys as "Deal.features",
    configuration.license_type as "Deal.license_type",
    configuration.quantity as "Deal.quantity",
    quote.quote_number as "Quote.number",
    quote.quote_date as "Quote.date",
    quote.valid_until as "Quote.valid_until",
    quote.currency as "Quote.currency",
    money(sums.subtotal_minor, quote.currency) as "Quote.subtotal",
    money(quote.discount_total_minor, quote.currency) as "Quote.discount_total",
    money(quote.tax_total_minor, quote.currency) as "Quote.tax_total",
    money(sums.subtotal_minor - quote.discount_total_minor + quote.tax_total_minor, quote.currency) as "Quote.total",
    quote.payment_terms as "Quote.payment_terms",
    quote.notes as "Quote.notes",
    sums.lines as "Quote.lines",
    coalesce(chosen.labels, '{}') || coalesce(line_of_deal.labels, '{}') as labels,
    organization.name as "Contract.licensor_name",
    organization.legal_name as "Contract.licensor_legal_name",
    domain_shown(organization.email) as "Contract.licensor_email",
    organization.street as "Licensor.street",
    organization.city as "Licensor.city",
    organization.region as "Licensor.region",
    organization.postal_code as "Licensor.postal_code",
    organization.country as "Licensor.country"
from organizations as organization
-- A deleted template serves only its existing contracts.
left join contract_templates as template
    on
        template.id = cast(:template_id as bigint)
        and (template.deleted_at is null or template.id = cast(:kept_template_id as bigint))
left join deals as deal on deal.id = cast(:deal_id as bigint)
left join contacts as contact on contact.id = deal.contact_id
-- Not coalesce: it is not leakproof, and would keep the index from use.
left join companies as company
    on company.id = case when deal.company_id is null then contact.company_id else deal.company_id end
left join deal_stages as stage on stage.id = deal.stage_id
left join users as holder on holder.id = deal.owner_id
left join lateral (
    select made.*
    from configurations as made
    where made.deal_id = deal.id
    order by (made.status = 'final') desc, made.id desc
    limit 1
) as configuration on true
-- Labels of the definition win over those of the interview.
left join lateral (
    select coalesce(asked.labels, '{}') || definition.labels as labels
    from configurator_definitions as definition
    left join lateral (
        select jsonb_object_agg(option ->> 'value', option ->> 'label') as labels
        from interview_invites as invite
        inner join interview_template_versions as version on version.id = invite.template_version_id
        cross join jsonb_path_query(version.questions, '$[*].options[*]') as option
        where invite.id = configuration.invite_id
    ) as asked on true
    where definition.id = configuration.definition_id
) as chosen on true
left join configurator_definitions as line_of_deal on line_of_deal.slug = deal.product_line
left join lateral (
    select offered.*
    from quotes as offered
    where offered.deal_id = deal.id and offered.status <> 'declined'
    order by (offered.status = 'accepted') desc, offered.id desc
    limit 1
) as quote on true
left join lateral (
    select
        -- Summed as numeric: 500 of the largest lines exceed a bigint.
        coalesce(sum(line.net_minor), 0) as subtotal_minor,
        coalesce(
            json_agg(
                json_build_object(
                    'name', coalesce(line.description, line.sku),
                    'sku', line.sku,
                    'description', line.description,
                    'platform', line.platform,
                    'license_type', line.license_type,
                    'quantity', line.quantity,
                    'unit_price', money(line.unit_price_minor, quote.currency),
                    'discount_percent', percent(line.discount_basis_points),
                    'tax_rate', percent(line.tax_basis_points),
                    'net', money(line.net_minor, quote.currency)
                )
                order by line.position
            ),
            '[]'
        ) as lines
    from quote_lines as line
    where line.quote_id = quote.id
) as sums on quote.id is not null;
