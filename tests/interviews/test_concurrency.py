"""Concurrent requests for one interview: nothing is lost, and submitted answers never change."""

from concurrent.futures import ThreadPoolExecutor

from tests.support import held_up, interview


def test_of_twenty_parallel_submits_exactly_one_wins(organization, anonymous):
    invite = organization.invite()
    body = {"answers": {"product_line": "server"}}
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: anonymous.post(interview(invite) + "/submit", body), range(20)))
    assert sorted(answer.status_int for answer in answers) == [200] + [409] * 19
    assert {answer.json["code"] for answer in answers if answer.status_int == 409} == {"invite_submitted"}
    assert len(organization.rows()["outbox"]) == 1


def test_a_save_racing_the_submit_never_changes_submitted_answers(organization, anonymous, owner):
    template, kept = organization.template(), "select answers, saved_at <= submitted_at from app.interview_invites"
    with ThreadPoolExecutor(2) as pool:
        for seats in range(1, 51):
            invite = organization.invite(template)
            path, answers = interview(invite), {"product_line": "server"}
            submit = pool.submit(anonymous.post, f"{path}/submit", {"answers": dict(answers)}, status=200)
            save = pool.submit(anonymous.patch, path, {"answers": {"seats": seats}}).result()
            submit.result()
            if save.status_int == 200:
                answers["seats"] = seats
            else:
                assert (save.status_int, save.json["code"]) == (409, "invite_submitted")
            assert owner.execute(f"{kept} where id = %s", (invite["id"],)).fetchone() == (answers, True)


def test_two_tabs_saving_different_questions_lose_nothing(organization, anonymous):
    invite = organization.invite()
    changes = [{"seats": 7}, {"notes": "from the other tab"}, {"product_line": "server"}] * 10
    with ThreadPoolExecutor(10) as pool:
        list(pool.map(lambda change: anonymous.patch(interview(invite), {"answers": change}, status=200), changes))
    form = anonymous.get(interview(invite)).json
    assert form["answers"] == {"seats": 7, "notes": "from the other tab", "product_line": "server"}
    assert form["revision"] == 30


def test_a_save_that_waits_for_the_deletion_of_its_invite_finds_nothing(organization, anonymous, owner):
    invite = organization.invite()
    delete = "delete from app.interview_invites where id = %s"
    saved = held_up(
        owner, delete, [invite["id"]], lambda: anonymous.patch(interview(invite), {"answers": {"seats": 7}})
    )
    assert saved.status_int == 404
