"""The attacks by name, in their order: functions of a Field, each with a sentence."""

from functools import partial

from experiments.fair.attacks import accounts, forms, heavy, slow, strangers, worker

# Attacks after which the owner of the other organization must still be able to log in.
OWNER_LOGS_IN = ("wrong logins, 11",)
# Attacks during which it is looked at how soon the other organization's own webhook is told.
RECEIVER_IS_TOLD = ("endless receivers",)
# What a stranger needs of the service during an attack: a method of the World that gives the seconds.
ERRANDS = {"files to verify": "check_of_a_file", "links by email": "signers_code"}
ATTACKS = {
    "silent bodies, 12": partial(slow.silent_bodies, number=12),
    "silent bodies, 200": partial(slow.silent_bodies, number=200),
    "idle connections": slow.idle,
    "dribbled headers": slow.dribbled_headers,
    "dribbled bodies": slow.dribbled_bodies,
    "unread copies": partial(slow.unread, path="/api/contracts/{signed[0]}/executed"),
    "unread exports": partial(slow.unread, path="/api/leads/export"),
    "unread pipelines": slow.unread_pipelines,
    "complex documents": heavy.complex_documents,
    "company search, 66 words": partial(heavy.company_search, words=66),
    "company search, 10 words": partial(heavy.company_search, words=10),
    "imports": heavy.imports,
    "exports": heavy.exports,
    "light requests": heavy.light_requests,
    "forms of Markdown": forms.marks,
    "forms of matrices": partial(forms.pages, template=forms.matrices()),
    "forms of scales": partial(forms.pages, template=forms.scales()),
    "tables of answers": forms.answer_tables,
    "silent uploads": slow.silent_uploads,
    "real uploads": heavy.real_uploads,
    "many invites": worker.many_invites,
    "queued documents": worker.queued_documents,
    "converted files": worker.converted_files,
    "captured leads": worker.captured_leads,
    "endless receivers": worker.endless_receivers,
    "wrong logins, 11": partial(accounts.wrong_logins, number=11),
    "wrong logins, 150": partial(accounts.wrong_logins, number=150),
    "guessed logins": accounts.guessed_logins,
    "drawn signatures": strangers.drawings,
    "files to verify": strangers.verifications,
    "links by email": strangers.links,
}
