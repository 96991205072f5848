from tests.support import TEMPLATE, codes, interview


def save(admin, status=None, **changes):
    return admin.post("/api/interview-templates", {**TEMPLATE, **changes}, status=status)


def test_a_slug_is_unique_within_the_organization_and_a_public_slug_over_all_until_its_template_is_deleted(
    admin, organization, new_organization
):
    slug, other = f"{organization.name}-form", new_organization().admin
    path = f"/api/interview-templates/{save(admin, 201, public_slug=slug).json['id']}"
    taken = save(admin, 409).json
    assert (taken["code"], taken["errors"][0]["name"]) == ("slug_taken", "slug")
    save(other, 201)
    assert save(other, 409, slug="another", public_slug=slug).json["errors"][0]["name"] == "public_slug"
    admin.delete(path, status=204)
    admin.delete(path, status=404)
    save(admin, 201, public_slug=slug)


def test_changed_content_makes_a_new_version_and_equal_content_none(admin):
    path = f"/api/interview-templates/{save(admin, 201).json['id']}"
    assert admin.put(path, TEMPLATE, status=200).json["version"] == 1
    assert admin.put(path, {**TEMPLATE, "translations": {"de": {"name": "Neu"}}}, status=200).json["version"] == 2
    assert admin.put(path, {**TEMPLATE, "slug": "moved", "translations": {"de": {"name": "Neu"}}}).json["version"] == 2


def test_an_invite_keeps_the_version_it_was_created_with(organization, anonymous):
    template = organization.template(translations={"de": {"name": "Bedarf"}})
    invite = organization.invite(template)
    organization.admin.put(f"/api/interview-templates/{template['id']}", {**TEMPLATE, "name": "New"}, status=200)
    for query, name in (("", TEMPLATE["name"]), ("?lang=de", "Bedarf")):
        assert anonymous.get(interview(invite) + query, status=200).json["template"]["name"] == name
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


def test_colours_are_read_against_the_organizations_own(admin):
    black = {"background_color": "#000000", "text_color": "#ffffff"}
    admin.patch("/api/organization", {"branding": black}, status=200)
    answer = save(admin, 422, branding={"text_color": "#222222"})
    assert [code for _, code in codes(answer)] == ["low_contrast"]
    save(admin, 201, branding={"text_color": "#eeeeee"})
