"""Interview templates: structure, slugs, versions."""

from tests.support import TEMPLATE, codes, interview


def save(admin, status=None, **changes):
    return admin.post("/api/interview-templates", {**TEMPLATE, **changes}, status=status)


def test_a_template_is_answered_whole(admin, organization):
    record = save(admin, 201, public_slug=f"{organization.name}-form", lead_capture_enabled=True).json
    assert (record["questions"], record["pages"]) == (TEMPLATE["questions"], TEMPLATE["pages"])
    assert (record["organization_id"], record["version"]) == (organization.id, 1)
    assert (record["branding"], record["thank_you"], record["hints"], record["field_map"]) == ({}, {}, {}, [])
    assert admin.get(f"/api/interview-templates/{record['id']}", status=200).json == record


def test_a_slug_is_unique_within_the_organization_and_a_public_slug_over_all(organization, new_organization):
    slug, other = f"{organization.name}-form", new_organization().admin
    save(organization.admin, 201, public_slug=slug)
    taken = save(organization.admin, 409).json
    assert (taken["code"], taken["errors"][0]["name"]) == ("slug_taken", "slug")
    save(other, 201)
    assert save(other, 409, slug="another", public_slug=slug).json["errors"][0]["name"] == "public_slug"


def test_a_deleted_template_frees_its_slugs_and_is_gone(admin, organization):
    slug = f"{organization.name}-form"
    path = f"/api/interview-templates/{save(admin, 201, public_slug=slug).json['id']}"
    admin.delete(path, status=204)
    admin.get(path, status=404)
    admin.delete(path, status=404)
    assert admin.get("/api/interview-templates").json["data"] == []
    save(admin, 201, public_slug=slug)


def test_put_replaces_what_is_left_out_by_its_default(admin):
    record = save(admin, 201, thank_you={"title": "Thanks"}).json
    answer = admin.put(f"/api/interview-templates/{record['id']}", TEMPLATE, status=200)
    assert answer.json["thank_you"] == {}
    assert answer.json["updated_at"] > record["updated_at"]


def test_changed_content_makes_a_new_version_and_equal_content_none(admin):
    path = f"/api/interview-templates/{save(admin, 201).json['id']}"
    assert admin.put(path, TEMPLATE, status=200).json["version"] == 1
    assert admin.put(path, {**TEMPLATE, "thank_you": {"title": "Bye"}}, status=200).json["version"] == 2
    assert admin.put(path, {**TEMPLATE, "slug": "moved", "thank_you": {"title": "Bye"}}).json["version"] == 2


def test_an_invite_keeps_the_version_it_was_created_with(organization, anonymous):
    template = organization.template()
    invite = organization.invite(template)
    organization.admin.put(f"/api/interview-templates/{template['id']}", {**TEMPLATE, "name": "New"}, status=200)
    assert anonymous.get(interview(invite), status=200).json["template"]["name"] == TEMPLATE["name"]
    assert anonymous.get(interview(organization.invite(template))).json["template"]["name"] == "New"


def test_invites_of_a_deleted_template_stay_answerable_and_readable(organization, anonymous):
    template = organization.template()
    invite = organization.invite(template)
    organization.admin.delete(f"/api/interview-templates/{template['id']}", status=204)
    anonymous.post(interview(invite) + "/submit", {"answers": {"product_line": "server"}}, status=200)
    assert organization.responses(invite)["answers"] == {"product_line": "server"}
    body = {"template_id": template["id"], "recipient_email": "a@b.example"}
    answer = organization.member.post("/api/interview-invites", body, status=422)
    assert codes(answer) == [("template_id", "unknown_reference")]


def test_colours_are_read_against_the_organizations_own(organization, owner):
    black = '{"background_color": "#000000"}'
    owner.execute("update app.organizations set branding = %s where id = %s", (black, organization.id))
    answer = save(organization.admin, 422, branding={"text_color": "#222222"})
    assert [code for _, code in codes(answer)] == ["low_contrast"]
    save(organization.admin, 201, branding={"text_color": "#ffffff"})
