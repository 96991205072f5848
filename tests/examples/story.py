"""A company sells licences over the API: every operation is called once at least, in the order of a sale."""

import time
from datetime import UTC, datetime
from urllib.parse import urlencode

from pipeline.leads.imports.background import LONG
from tests.conftest import BOUNCE_SECRET, PASSWORD
from tests.contracts.support import image_file, pdf_file
from tests.contracts.word_files import word_file
from tests.interviews.language import condition
from tests.isolation.prepared import lead_import, undelivered
from tests.support import TEMPLATE, Api

WORD = word_file("Licence {{Contract.number}} for {{Licensee.name}}.", "{{Contract.signature_block}}")
CSV = b"first_name,last_name,email,company\nIngrid,Olsen,ingrid@fjord.example,Fjord Systems\n"
COMPANY = {
    "name": "Café Soft",
    "legal_name": "Café Soft SARL",
    "email": "bonjour@cafesoft.example",
    "street": "5 rue de la Paix",
    "city": "Lyon",
    "postal_code": "69001",
    "country": "FR",
}
LEAD = {
    "first_name": "Hélène",
    "last_name": "Dubois",
    "email": "helene@cafesoft.example",
    "company": "Café Soft",
    "job_title": "CTO",
    "source": "fair",
    "tags": "europe,priority",
}
TASK = {"title": "Call about the offer", "due_date": "2026-02-02", "due_time": "09:30", "priority": "high"}
NOTE = {"content": "Wants floating seats for 120 developers."}
INTERVIEW = {
    "name": "Licence needs",
    "slug": "licence-needs",
    "public_slug": "tell-us-what-you-need",
    "lead_capture_enabled": True,
    "pages": [
        {"key": "you", "title": "About you", "questions": ["first_name", "email"]},
        {"key": "needs", "title": "What you need", "questions": ["product_line", "seats", "timeline"]},
    ],
    "questions": [
        {"key": "first_name", "type": "short_text", "label": "Your name", "required": True},
        {"key": "email", "type": "email", "label": "Your email address", "required": True},
        TEMPLATE["questions"][0],
        {"key": "seats", "type": "number", "label": "How many seats?", "integer": True, "min": 1},
        {"key": "timeline", "type": "short_text", "label": "When?", "visible_if": condition("seats", "gt", 9)},
    ],
    "thank_you": {"title": "Thank you", "body": "We call you within a day."},
    "hints": {"rep_flags": [{"flag": "large", "label": "Large deal", "when": condition("seats", "gte", 100)}]},
    "field_map": [{"question": "seats", "target": "quantity"}],
    "hidden_fields": ["campaign"],
    "language": "en",
    "translations": {
        "de": {
            "name": "Lizenzbedarf",
            "pages.needs.title": "Was Sie brauchen",
            "questions.seats.label": "Wie viele Plätze?",
            "questions.product_line.options.desktop": "Arbeitsplatz",
            "thank_you.title": "Vielen Dank",
        }
    },
}
ANSWERS = {"first_name": "Hélène", "email": "helene@cafesoft.example", "product_line": "server", "seats": 120}
LIABILITY = {
    "key": "liability",
    "name": "Liability",
    "content": "<p>The liability of the licensor is limited to {{Quote.total | currency}}.</p>",
}
AGREEMENT = {
    "name": "Licence agreement",
    "content": "<h1>{{Contract.number}}</h1><p>{{Licensee.name}} licenses {{Deal.title}}.</p>"
    '<div data-clause="liability"></div><p>{{Contract.fields.governing_law}} governs the agreement.</p>',
    "footer_center": "Page {{page}} of {{pages}}",
}
SIGNER = {"name": "Aoife Byrne", "title": "Managing Director", "email": "aoife@acme.example", "party": "licensor"}
HOOK = {"url": "https://crm.localhost/pipeline", "events": ["lead.captured", "interview.submitted"]}
BRIEF = {
    "name": "Brief",
    "slug": "brief",
    "pages": [{"key": "files", "questions": ["drawings"]}],
    "questions": [{"key": "drawings", "type": "file", "label": "Your drawings", "max_files": 3, "accept": ["pdf"]}],
}
QUOTE_LINES = [
    {
        "sku": "SEAT",
        "description": "Floating seat, a year",
        "quantity": 120,
        "unit_price": 89.5,
        "discount_percent": 10,
        "tax_rate": 19,
    }
]


class Story:
    """`call` is a Recorder's; organization and inviting are Organizations; post delivers their emails."""

    def __init__(self, call, organization, inviting, post):
        self.recorded, self.organization, self.inviting, self.post = call, organization, inviting, post
        self.anonymous = Api(organization.app)

    def tell(self):
        self.accounts()
        self.people()
        self.webhooks()
        lead = self.leads()
        deal = self.sale()
        self.interviews(lead, deal)
        self.files(lead)
        self.contracts(deal)
        self.closing(lead, deal)

    def call(self, operation, body=None, by="admin", **options):
        api = self.anonymous if by is None else getattr(self.organization, by)
        response = self.recorded(api, operation, body, **options)
        return response.json if (response.content_type or "").endswith("json") else None

    def changed(self, record, change, patch, **path):
        """PUT a change of a record, and PATCH another one; both answer with the record."""
        self.call(f"update_{record}", change, **path)
        return self.call(f"patch_{record}", patch, **path)

    def accounts(self):
        email = f"admin@{self.organization.name}.example"
        tokens = self.call("log_in", {"email": email, "password": PASSWORD}, by=None)
        tokens = self.call("refresh_tokens", {"refresh_token": tokens["refresh_token"]}, by=None)
        self.inviting.admin.post("/api/users", {"email": email, "name": "Admin"}, status=201)
        invitation = self.call("get_me")["invitations"][0]["id"]
        self.call("accept_invitation", id=invitation)
        caller = Api(self.organization.app, Authorization=f"Bearer {tokens['access_token']}")
        switch = {"organization_id": self.inviting.id, "refresh_token": tokens["refresh_token"]}
        tokens = self.recorded(caller, "switch_organization", switch).json
        self.call("log_out", {"refresh_token": tokens["refresh_token"]}, by=None)
        self.changed("me", {"name": "Ada Okafor"}, {"name": "Ada Okafor"})
        kinds = self.call("get_notification_emails")
        self.changed("notification_emails", kinds | {"leads": False}, {"leads": True})
        session = self.organization.session(self.organization.users["admin"])
        self.call("list_sessions")
        self.call("end_session", id=session)
        self.call("end_other_sessions")
        self.inviting.admin.post("/api/users", {"email": f"member@{self.organization.name}.example"}, status=201)
        invitation = self.call("get_me", by="member")["invitations"][0]["id"]
        self.call("decline_invitation", by="member", id=invitation)
        password = {"current_password": PASSWORD, "new_password": "rather violet umbrella 7"}
        self.call("change_password", password, by="colleague")
        self.post.deliver(self.organization)
        self.call("request_password_reset", {"email": f"colleague@{self.organization.name}.example"}, by=None)
        reset = {"token": self.post.token(self.organization), "password": "rather purple umbrella 8"}
        self.call("reset_password", reset, by=None)
        bounce = {"message_id": f"<{self.organization.id}.{'0' * 32}@pipeline.example>", "reason": "550 5.1.1 Unknown"}
        provider = Api(self.organization.app, Authorization=f"Bearer {BOUNCE_SECRET}")
        self.recorded(provider, "report_bounce", bounce)

    def people(self):
        self.call("get_organization")
        self.call("upload_organization_logo", upload=("logo", "logo.png", image_file("PNG")))
        self.call("delete_organization_logo")
        name = {"name": "Acme", "slug": self.organization.name}
        self.changed("organization", {**name, "time_zone": "Europe/Paris", "currency": "EUR"}, {"city": "Paris"})
        team = self.call("create_team", {"name": "Europe"})["id"]
        self.changed("team", {"name": "Europe"}, {"name": "Europe and Africa"}, id=team)
        user = self.call("invite_user", {"email": "kim@acme.example", "name": "Kim", "team_id": team})["id"]
        self.post.deliver(self.organization)
        self.call("invite_user_again", id=user)
        token = self.post.token(self.organization)
        accepted = {"token": token, "name": "Kim", "password": "rather yellow umbrella 9"}
        self.call("activate_account", accepted, by=None)
        self.call("list_users", query={"search": "kim"})
        self.call("get_user", id=user)
        self.changed("user", {"role": "member"}, {"team_id": team}, id=user)
        self.call("delete_user", id=user)
        self.shown("team", team)
        key = self.call("create_api_key", {"name": "CRM", "scopes": ["leads:read", "leads:write"]})["id"]
        self.call("list_api_keys")
        self.recorded(self.organization.key("leads:read", name="ERP"), "get_own_key")
        self.call("list_seats")
        self.call("get_seat", id=self.organization.users["member"])
        self.call("get_api_key", id=key)
        self.changed("api_key", {"name": "CRM", "scopes": ["leads:read"]}, {"name": "ERP"}, id=key)
        self.call("delete_api_key", id=key)

    def webhooks(self):
        hook = self.call("create_webhook", HOOK)["id"]
        self.changed("webhook", {**HOOK, "description": "CRM"}, {"events": [*HOOK["events"], "lead.updated"]}, id=hook)
        self.call("rotate_webhook_secret", id=hook)
        delivery = self.call("test_webhook", id=hook)["id"]
        self.call("redeliver_webhook", id=hook, deliveryId=delivery)
        self.call("list_webhook_deliveries", id=hook)
        self.call("get_webhook_delivery", id=hook, deliveryId=delivery)
        self.shown("webhook", hook)

    def followed(self, place, kind):
        """Follow the changes of a kind from a place, once there are some: other transactions end first."""
        query = {"after": place, "types": kind}
        while not self.organization.admin.get("/api/changes?" + urlencode(query), status=200).json["data"]:
            time.sleep(0.05)
        self.call("follow_changes", query=query)

    def leads(self):
        member = self.organization.users["member"]
        place = self.organization.admin.get("/api/changes", status=200).json["next"]
        lead = self.call("create_lead", {**LEAD, "assigned_to": member})["id"]
        self.followed(place, "leads")
        note = self.call("add_lead_note", NOTE, id=lead)["id"]
        task = self.call("add_lead_task", TASK, id=lead)["id"]
        self.changed("lead_task", {**TASK, "priority": "medium"}, {"assigned_to": member}, id=lead, taskId=task)
        self.changed("lead", {**LEAD, "status": "contacted"}, {"phone": "+33 4 5555 0123"}, id=lead)
        done = {"type": "leads", "id": lead}
        self.call("list_audit", query=done)
        self.call("export_audit", query={**done, "action": "updated"})
        self.call("list_leads", query={"search": "dubois", "status": "new,contacted", "sort_by": "created_at"})
        self.call("get_lead", id=lead)
        known = {"external_id": "crm-4711", "first_name": "Noor", "company": "Mistral Labs"}
        self.call("batch_leads", {"update": [{"id": lead, "tags": "fair"}], "upsert": [known]})
        self.call("list_lead_notes", id=lead)
        self.call("list_lead_tasks", id=lead)
        self.call("get_lead_note", id=lead, noteId=note)
        self.call("get_lead_task", id=lead, taskId=task)
        self.call("delete_lead_task", id=lead, taskId=task)
        self.call("delete_lead_note", id=lead, noteId=note)
        self.call("get_lead_import_template")
        self.call("preview_lead_import", upload=("file", "leads.csv", CSV))
        self.call("import_leads", query={"dry_run": True}, upload=("file", "leads.csv", CSV))
        long = b"first_name\n" + b"Kim\n" * (LONG + 1)
        later = {"Prefer": "respond-async"}
        self.call("import_leads", upload=("file", "long.csv", long), headers=later)
        ended = lead_import(self.organization, error="Has no column first_name.")["id"]
        self.call("get_lead_import", id=ended)
        self.call("get_lead_import_rows", id=ended)
        self.call("export_leads", query={"source": "fair"})
        return lead

    def sale(self):
        company = self.call("create_company", COMPANY)["id"]
        self.changed("company", {**COMPANY, "vat_id": "FR40303265045"}, {"phone": "+33 4 5555 0100"}, id=company)
        person = {key: LEAD[key] for key in ("first_name", "last_name", "email", "job_title")}
        contact = self.call("create_contact", {**person, "company_id": company})["id"]
        self.changed("contact", {**person, "company_id": company}, {"job_title": "CEO"}, id=contact)
        self.call("match_companies", query={"company": "cafe soft"})
        self.call("match_contacts", query={"email": LEAD["email"]})
        stage = self.call("create_deal_stage", {"name": "Proposal", "position": 1})["id"]
        self.changed("deal_stage", {"name": "Proposal", "position": 2}, {"position": 3}, id=stage)
        offer = {"title": "Floating seats", "value": 9666, "stage_id": stage, "company_id": company}
        deal = self.call("create_deal", {**offer, "contact_id": contact, "expected_close_date": "2026-03-31"})["id"]
        self.changed("deal", {**offer, "contact_id": contact}, {"product_line": "server"}, id=deal)
        quote = {"deal_id": deal, "quote_date": "2026-02-01", "lines": QUOTE_LINES, "external_id": "erp-1042"}
        quoted = self.call("create_quote", quote)["id"]
        self.changed("quote", {**quote, "status": "sent"}, {"status": "accepted"}, id=quoted)
        server = {"name": "Server", "slug": "server", "license_types": ["yearly", "perpetual"]}
        definition = self.call("create_configurator_definition", server)["id"]
        features = {"feature_keys": ["floating", "offline"]}
        self.changed("configurator_definition", {**server, **features}, {"platform_keys": ["linux"]}, id=definition)
        batches = {"companies": company, "contacts": contact, "deals": deal}
        for kind, id in batches.items():
            self.call(f"batch_{kind}", {"update": [{"id": id, "external_id": "crm-4711"}]})
        for record, id in (("company", company), ("contact", contact), ("deal_stage", stage), ("deal", deal)):
            self.shown(record, id)
        self.shown("quote", quoted)
        self.shown("configurator_definition", definition)
        return deal

    def shown(self, record, id):
        self.call(f"get_{record}", id=id)
        self.call(f"list_{record[:-1] + 'ies' if record.endswith('y') else record + 's'}")

    def interviews(self, lead, deal):
        template = self.call("create_interview_template", INTERVIEW)["id"]
        change = {"thank_you": {"title": "Merci"}}
        self.changed("interview_template", {**INTERVIEW, "name": "Licence needs 2026"}, change, id=template)
        invited = {"template_id": template, "recipient_email": LEAD["email"], "lead_id": lead, "deal_id": deal}
        invite = self.call("create_interview_invite", {**invited, "send_email": True}, by="member")
        self.post.deliver(self.organization)
        self.call("list_linked_emails", id=lead)
        self.call("list_lead_duplicates", id=lead)
        token = invite["token"]
        self.call("get_public_interview", by=None, token=token)
        self.call("save_interview_answers", {"answers": {"seats": 120}}, by=None, token=token)
        self.call("submit_interview", {"answers": ANSWERS}, by=None, token=token)
        self.shown("interview_template", template)
        self.shown("interview_invite", invite["id"])
        self.call("preview_interview_template", id=template)
        self.call("get_interview_template_statistics", id=template)
        self.call("get_interview_responses", id=invite["id"])
        self.call("export_interview_responses", id=invite["id"])
        self.call("print_interview_responses", id=invite["id"])
        self.call("export_template_responses", id=template, query={"values": "keys"})
        self.call("export_template_workbook", id=template)
        configuration = self.call("seed_configuration", id=invite["id"])["configuration_id"]
        self.call("seed_configuration", id=invite["id"])
        self.shown("configuration", configuration)
        seeded = self.call("get_configuration", id=configuration)
        chosen = {"deal_id": deal, "definition_id": seeded["definition_id"], "quantity": 120}
        self.changed("configuration", chosen, {"license_type": "yearly"}, id=configuration)
        self.call("delete_configuration", id=configuration)
        self.call("create_configuration", {**chosen, "platform_keys": ["linux"]})
        self.call("resend_interview_invite", id=undelivered(self.organization)["id"])
        expired = self.organization.invite({"id": template})["id"]
        self.call("expire_interview_invite", id=expired)
        self.call("renew_interview_invite", {}, id=expired)
        link = {"slug": INTERVIEW["public_slug"], "query": {"r": self.organization.users["member"]}}
        self.call("get_capture_form", by=None, **link)
        self.call("submit_capture_form", {"answers": ANSWERS}, by=None, **link)
        self.post.deliver(self.organization)
        told = self.call("list_notifications", by="member")["data"][0]["id"]
        self.call("get_notification", by="member", id=told)
        self.call("mark_notification_read", by="member", id=told)
        self.call("mark_all_notifications_read", by="member")

    def files(self, lead):
        template = self.call("create_interview_template", BRIEF)["id"]
        invited = {"template_id": template, "recipient_email": LEAD["email"], "lead_id": lead}
        invite = self.call("create_interview_invite", invited)
        sent = {"query": {"question": "drawings"}, "upload": ("file", "ground floor.pdf", pdf_file())}
        saved = self.call("add_interview_file", by=None, token=invite["token"], **sent)
        file = saved["answers"]["drawings"][0]["id"]
        self.call("get_interview_file", id=invite["id"], fileId=file)
        self.call("remove_interview_file", by=None, token=invite["token"], fileId=file)
        self.call("delete_interview_invite", id=invite["id"])

    def contracts(self, deal):
        law = {
            "kind": "contract",
            "key": "governing_law",
            "label": "Governing law",
            "type": "text",
            "default": "Irish law",
        }
        field = self.call("create_field", law)["id"]
        self.changed("field", {"label": "Law", "default": "Irish law"}, {"required": True}, id=field)
        self.shown("field", field)
        self.call("get_field_schema", query={"kind": "contract"})
        clause = self.call("create_clause", LIABILITY)["id"]
        whole = {"name": "Limit of liability", "content": LIABILITY["content"]}
        self.changed("clause", whole, {"language": "en"}, id=clause)
        self.shown("clause", clause)
        picture = self.call("upload_picture", upload=("picture", "map.png", image_file("PNG")))["id"]
        self.changed("picture", {"name": "Map"}, {"name": "Plan of the site"}, id=picture)
        self.shown("picture", picture)
        self.call("get_picture_file", id=picture)
        template = self.call("create_contract_template", AGREEMENT)["id"]
        self.call("upload_contract_template_logo", upload=("logo", "logo.png", image_file("PNG")), id=template)
        self.changed("contract_template", {"number_prefix": "LA"}, {"default_term_months": 24}, id=template)
        self.shown("contract_template", template)
        self.call("upload_contract_template_word", upload=("file", "licence.docx", WORD), id=template)
        self.call("get_contract_template_word", id=template)
        schedules = self.call("add_contract_template_schedule", upload=("file", "prices.docx", WORD), id=template)
        schedule = schedules["data"][0]["id"]
        self.call("list_contract_template_schedules", id=template)
        self.call("order_contract_template_schedules", {"ids": [schedule]}, id=template)
        self.call("delete_contract_template_schedule", id=template, scheduleId=schedule)
        self.call("delete_contract_template_word", id=template)
        self.call("list_merge_tags")
        self.call("preview_contract_template", {**AGREEMENT, "deal_id": deal, "template_id": template})
        begins = f"{datetime.now(UTC).year}-02-01"
        basis = {
            "template_id": template,
            "effective_date": begins,
            "deal_id": deal,
            "fields": {"governing_law": "French law"},
        }
        contract = self.call("create_contract", basis)["id"]
        self.changed("contract", {**basis, "term_months": 12}, {"name": "Café Soft, floating seats"}, id=contract)
        self.call("regenerate_contract", id=contract)
        self.call("get_contract_pdf", id=contract)
        self.call("get_contract_docx", id=contract)
        self.call("get_contract_redline", query={"from": 1, "to": 2}, id=contract)
        self.call("patch_contract", {"content": "<p>As Acme and Café Soft agreed in Lyon.</p>"}, id=contract)
        self.call("regenerate_contract", query={"discard": "true"}, id=contract)
        note = self.call("add_contract_note", {"content": "Signed in Lyon."}, id=contract)["id"]
        task = self.call("add_contract_task", {"title": "Countersign"}, id=contract)["id"]
        self.changed("contract_task", {"title": "Countersign"}, {"priority": "high"}, id=contract, taskId=task)
        self.call("list_contract_notes", id=contract)
        self.call("list_contract_tasks", id=contract)
        self.call("get_contract_note", id=contract, noteId=note)
        self.call("get_contract_task", id=contract, taskId=task)
        self.shown("contract", contract)
        self.signatures(contract)
        self.call("upload_executed_copy", upload=("file", "signed.pdf", pdf_file()), id=contract)
        self.call("get_executed_copy", id=contract)
        self.call("delete_executed_copy", id=contract)
        self.call("delete_contract_note", id=contract, noteId=note)
        self.call("delete_contract_task", id=contract, taskId=task)
        self.call("delete_contract", id=contract)
        self.call("delete_contract_template_logo", id=template)
        self.call("delete_contract_template", id=template)
        self.call("delete_clause", id=clause)
        self.call("delete_picture", id=picture)
        self.call("delete_field", id=field)

    def signatures(self, contract):
        signers = [
            {**SIGNER, "order": 2},
            {"name": "Hélène Dubois", "email": "helene@cafesoft.example", "party": "licensee", "order": 1},
        ]
        body = {"signers": signers, "message": "As we agreed in Lyon.", "verify_email": True}
        made = self.call("create_signature_request", body, id=contract)
        request, signer = made["id"], made["signers"][0]["id"]
        correction = {"email": "h.dubois@cafesoft.example"}
        self.call("correct_signer", correction, id=contract, requestId=request, signerId=signer)
        self.call("list_signature_requests", id=contract)
        self.call("get_signature_request", id=contract, requestId=request)
        self.call("remind_signers", id=contract, requestId=request)
        self.call("get_contract_signature", id=contract)
        self.call("get_signature_document", id=contract)
        self.call("cancel_signature_request", id=contract, requestId=request)

    def closing(self, lead, deal):
        self.call("qualify_lead", {"create_company": True, "create_deal": True, "deal_value": 9666}, id=lead)
        other = self.call("create_lead", {"first_name": "Ingrid"})["id"]
        self.call("disqualify_lead", {"reason": "No budget"}, id=other)
        self.call("delete_lead", id=other)
        person = self.call("create_lead", {"first_name": "Ingrid", "email": "ingrid@fjord.example"})["id"]
        self.call("get_personal_data", id=person)
        self.call("erase_person", {"confirm": "ingrid@fjord.example"}, id=person)
        for record, body in (
            ("quote", {"deal_id": deal}),
            ("deal", {"title": "Another"}),
            ("deal_stage", {"name": "Another"}),
            ("team", {"name": "Another"}),
            ("contact", {"first_name": "Another"}),
            ("company", {"name": "Another"}),
            ("configurator_definition", {"name": "Another", "slug": "another"}),
            ("webhook", HOOK),
            ("interview_template", {**INTERVIEW, "slug": "another", "public_slug": "another"}),
        ):
            self.call(f"delete_{record}", id=self.call(f"create_{record}", body)["id"])
