"""The list of the caller's notifications, and their read times."""

import pytest

LIST = "/api/notifications"


@pytest.fixture
def notify(organization):
    """notify(person): the id of a new notification of theirs."""
    made = iter(range(1000))

    def make(person="member"):
        return organization.insert(
            "notifications",
            user_id=organization.users[person],
            event="lead_captured",
            effect_key=f"lead_captured:{next(made)}",
            title="New lead",
            body="It came in.",
        )

    return make


def ids(response):
    return [item["id"] for item in response.json["data"]]


def test_a_notification_says_what_has_happened(organization, member, notify):
    id = notify()
    record = member.get(f"{LIST}/{id}", status=200).json
    assert record.pop("created_at") == record.pop("updated_at")
    assert record == {
        "id": id,
        "organization_id": organization.id,
        "event": "lead_captured",
        "title": "New lead",
        "body": "It came in.",
        "data": {},
        "read_at": None,
    }


def test_the_list_is_newest_first_and_in_pages(member, notify):
    made = [notify() for _ in range(5)]
    page = member.get(f"{LIST}?per_page=2&page=2", status=200)
    assert (ids(page), page.json["total"]) == ([made[2], made[1]], 5)


def test_a_person_sees_their_own_alone(organization, notify):
    id = notify("colleague")
    for other in (organization.member, organization.admin):
        assert other.get(LIST, status=200).json["total"] == 0
        other.get(f"{LIST}/{id}", status=404)
        other.put(f"{LIST}/{id}/read", status=404)
        assert other.put(f"{LIST}/read-all", status=200).json == {"read": 0}
    assert organization.colleague.get(f"{LIST}/{id}", status=200).json["read_at"] is None


def test_reading_keeps_the_time_of_the_first_time(member, notify):
    id = notify()
    first = member.put(f"{LIST}/{id}/read", status=200).json
    assert first["updated_at"] == first["read_at"] > first["created_at"]
    assert member.put(f"{LIST}/{id}/read", status=200).json == first
    assert member.get(f"{LIST}/{id}", status=200).json == first


def test_the_list_can_leave_out_what_is_read_or_what_is_not(member, notify):
    old, new, newer = notify(), notify(), notify()
    member.put(f"{LIST}/{old}/read", status=200)
    unread, read = (member.get(f"{LIST}?unread={word}", status=200) for word in ("true", "false"))
    assert (ids(unread), unread.json["total"]) == ([newer, new], 2)
    assert (ids(read), read.json["total"]) == ([old], 1)


def test_everything_is_read_at_once_and_counted(member, notify):
    first = notify()
    notify()
    member.put(f"{LIST}/{first}/read", status=200)
    assert [member.put(f"{LIST}/read-all", status=200).json["read"] for _ in range(2)] == [1, 0]
    assert member.get(f"{LIST}?unread=true").json["total"] == 0
