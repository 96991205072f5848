--:name person_data :many
--:doc A person's records as JSON rows in file order; primary keys, files_invite, notes_lead, tasks_lead, contracts_deal, changes_record.
-- One statement, so all sections share a snapshot.
select entry.section, cast(entry.record as text) as record
from (
    select 1 as place, 'leads' as section, lead.id, to_json(lead) as record
    from lead_records as lead
    where lead.id = any(cast(:leads as bigint[]))
    union all
    select 2, 'contacts', contact.id, to_json(contact)
    from contact_records as contact
    where contact.id = any(cast(:contacts as bigint[]))
    union all
    select 3, 'interviews', asked.id, to_json(asked)
    from (
        select
            invite.id,
            version.name as interview,
            invite.origin,
            invite_status(invite.status, invite.expires_at) as status,
            invite.recipient_name,
            domain_shown(invite.recipient_email) as recipient_email,
            invite.personal_note,
            invite.language,
            iso(invite.created_at) as created_at,
            iso(invite.sent_at) as sent_at,
            iso(invite.reminded_at) as reminded_at,
            iso(invite.reminders_declined_at) as reminders_declined_at,
            iso(invite.opened_at) as opened_at,
            iso(invite.started_at) as started_at,
            iso(invite.submitted_at) as submitted_at,
            invite.answers,
            invite.consents,
            invite.hidden_fields,
            coalesce(
                (
                    select jsonb_object_agg(question.value ->> 'key', question.value ->> 'label')
                    from jsonb_array_elements(version.questions) as question
                    where invite.answers ? (question.value ->> 'key')
                ),
                '{}'
            ) as labels,
            coalesce(invite.rep_flags, '[]') as rep_flags
        from interview_invites as invite
        join interview_template_versions as version on version.id = invite.template_version_id
        where invite.id = any(cast(:invites as bigint[]))
    ) as asked
    union all
    select 4, 'files', uploaded.id, to_json(uploaded)
    from (
        select
            file.id,
            file.invite_id as interview_id,
            file.filename,
            file.content_type,
            file.size,
            file.sha256,
            iso(file.created_at) as created_at
        from files as file
        where file.invite_id = any(cast(:invites as bigint[]))
    ) as uploaded
    union all
    select 5, 'notes', note.id, to_json(note)
    from note_records as note
    where
        note.lead_id = any(cast(:leads as bigint[]))
        or note.contact_id = any(cast(:contacts as bigint[]))
    union all
    select 6, 'tasks', task.id, to_json(task)
    from task_records as task
    where
        task.lead_id = any(cast(:leads as bigint[]))
        or task.contact_id = any(cast(:contacts as bigint[]))
    union all
    select 7, 'emails', letter.id, to_json(letter)
    from (
        select
            email.id,
            email.direction,
            email.status,
            domain_shown(email.from_email) as from_email,
            domain_shown(email.to_email) as to_email,
            email.to_name,
            email.subject,
            email.body_text as text,
            iso(email.sent_at) as sent_at,
            iso(email.created_at) as created_at
        from emails as email
        where email.id = any(cast(:emails as bigint[]))
    ) as letter
    union all
    select 8, 'notifications', notice.id, to_json(notice)
    from (
        select notification.id, notification.title, notification.body, iso(notification.created_at) as created_at
        from person_notifications(cast(:leads as bigint[]), cast(:invites as bigint[])) as notification
    ) as notice
    union all
    select 9, 'deals', deal.id, json_build_object('id', deal.id, 'title', deal.title)
    from deals as deal
    where deal.id = any(cast(:deals as bigint[]))
    union all
    select 10, 'contracts', known.id, to_json(known)
    from (
        select contract.id, contract.contract_number, contract.name, contract.status
        from contract_records as contract
        where contract.deal_id = any(cast(:deals as bigint[]))
    ) as known
    union all
    select 11, 'signatures', given.id, to_json(given)
    from (
        select
            signer.id,
            request.contract_id,
            contract.contract_number,
            signer.name,
            signer.title,
            domain_shown(signer.email) as email,
            signer.party,
            signer.status,
            iso(signer.viewed_at) as viewed_at,
            iso(signer.verified_at) as verified_at,
            iso(signer.signed_at) as signed_at,
            signer.decline_reason,
            signer.signature_kind,
            signer.signature_text,
            encode(signer.drawing, 'base64') as drawing,
            signer.consent,
            signer.consent_language,
            signer.address,
            signer.user_agent,
            (
                select
                    coalesce(json_agg(
                        json_build_object(
                            'event', event.event,
                            'at', iso(event.at),
                            'address', event.address,
                            'user_agent', event.user_agent,
                            'corrections', event.corrections
                        )
                        order by event.id
                    ), '[]')
                from signature_events as event
                where event.request_id = signer.request_id and event.signer_id = signer.id
            ) as events
        from signature_signers as signer
        join signature_requests as request
            on request.organization_id = signer.organization_id and request.id = signer.request_id
        join contracts as contract
            on contract.organization_id = request.organization_id and contract.id = request.contract_id
        where signer.id = any(cast(:signers as bigint[]))
    ) as given
    union all
    select
        12,
        'changes',
        change.id,
        json_build_object(
            'type', change.type,
            'record_id', change.record_id,
            'action', change.action,
            'at', iso(change.at),
            'changed', change.changed
        )
    from changes as change
    where
        (change.type = 'leads' and change.record_id = any(cast(:leads as bigint[])))
        or (change.type = 'contacts' and change.record_id = any(cast(:contacts as bigint[])))
        or (change.type = 'interview-invites' and change.record_id = any(cast(:invites as bigint[])))
        or (
            change.type = 'tasks'
            and change.record_id = any(
                array(
                    select task.id
                    from tasks as task
                    where
                        task.lead_id = any(cast(:leads as bigint[]))
                        or task.contact_id = any(cast(:contacts as bigint[]))
                )
            )
        )
) as entry
order by entry.place, entry.id;
