--:name capture_draft_open :scalar
--:doc Set the context to a draft's token.
select set_config('app.draft_token', cast(:token as text), true);

--:name capture_draft_find :one
--:doc The context's draft, unless expired; primary key.
select draft.answers, draft.agreed, draft.submitted
from capture_drafts as draft
where draft.token = cast(:token as text) and draft.expires_at > now();

--:name capture_draft_forget :affected
--:doc Delete the context's draft, if expired; primary key.
delete from capture_drafts
where token = cast(:token as text) and expires_at <= now();

--:name capture_draft_delete :affected
--:doc Delete the context's draft, unless sent; primary key.
delete from capture_drafts
where token = cast(:token as text) and not submitted;

--:name capture_draft_save :affected
--:doc Insert the context's draft, or merge answers into it unless it was sent, and prolong it; primary key.
insert into capture_drafts (token, template_id, answers, agreed, step, shown)
values (:token, cast(:template_id as bigint), cast(:given as jsonb), :agreed, :step, cast(:shown as text[]))
on conflict (organization_id, token) do update
    set
        answers = (capture_drafts.answers || excluded.answers) - cast(:cleared as text[]),
        agreed = excluded.agreed,
        step = excluded.step,
        shown = excluded.shown,
        expires_at = least(now() + interval '24 hours', capture_drafts.created_at + interval '30 days')
    where not capture_drafts.submitted;

--:name capture_draft_submitted :affected
--:doc Mark the context's draft as sent, its response counts instead; primary key.
update capture_drafts set submitted = true, shown = '{}'
where token = cast(:token as text);

--:name capture_draft_lock :scalar
--:doc Lock the context's draft and return its answers, unless sent or expired; primary key.
select draft.answers
from capture_drafts as draft
where draft.token = cast(:token as text) and not draft.submitted and draft.expires_at > now()
for no key update;

--:name capture_files_prune :affected
--:doc Delete the context's draft's unlisted files, unless it was sent; files_draft.
delete from files as file
where
    file.draft_token = cast(:token as text)
    and not exists (
        select from capture_drafts as draft
        where
            draft.token = file.draft_token
            and jsonb_path_exists(draft.answers, '$.*[*].id ? (@ == $id)', jsonb_build_object('id', file.id))
    );

--:name capture_draft_hand_over :affected
--:doc Remove answers from the context's draft, whose files an invite has now and which counts instead; primary key.
update capture_drafts set answers = answers - cast(:keys as text[]), shown = '{}'
where token = cast(:token as text);
