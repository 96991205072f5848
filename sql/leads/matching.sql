--:name lead_match_companies :many
--:doc Up to five companies by name, domain, URL or email address; name_key, website_domain, trigrams.
with candidate as (
    select
        company.id,
        company.name,
        case when company.name = cast(:company as text) then 1.0 else 0.95 end as score,
        case when company.name = cast(:company as text) then 'exact' else 'normalized' end as reason
    from companies as company
    where
        company.name_key = company_key(cast(:company as text))
        and (company.name_key <> '' or company.name = cast(:company as text))
    union all
    select company.id, company.name, 0.9, 'domain'
    from companies as company
    where company.website_domain = website_domain(cast(:company as text))
    union all
    -- A similar name scores below an equal one.
    select company.id, company.name, round(cast(alike.similarity as numeric) * 0.84, 2), 'similar'
    from company_similar(cast(:company as text)) as alike
    join companies as company on company.id = alike.id
),

best as (
    select distinct on (candidate.id) candidate.id, candidate.name, candidate.score, candidate.reason
    from candidate
    order by candidate.id, candidate.score desc
)

select best.id, best.name, best.score, best.reason
from best
order by best.score desc, best.name, best.id
limit 5;

--:name lead_match_contacts :many
--:doc An email address's contacts, oldest first; contacts_email.
select
    contact.id
    , contact.first_name
    , contact.last_name
    , domain_shown(contact.email) as email
    , contact.company_id
    , 1.0 as score
from contacts as contact
where contact.email_key = email_key(cast(:email as text))
order by contact.id
limit 20;
