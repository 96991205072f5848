import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from pipeline.accounts.strength import DISGUISES, check_strength, judged_part
from pipeline.validation.errors import Problem

OWNER = ["kim.lovelace@acme.example", "Kim Lovelace", "Acme Licensing"]
KNOWN = ["quillbrandt77@acme.example", None]


def is_weak(password, *known):
    try:
        check_strength(password, list(known))
    except Problem:
        return True
    return False


@pytest.mark.parametrize(
    "password",
    ["1234567890", "aaaaaaaaaa", " " * 10, "qwertyuiop", "password123", "P@ssw0rd1!", "2001-09-11", "a" * 1024],
)
def test_a_password_that_is_easy_to_guess_is_refused_with_advice(password):
    with pytest.raises(Problem) as refused:
        check_strength(password, [])
    assert refused.value.code == "weak_password"
    assert refused.value.violations[0].message == refused.value.detail != ""


@pytest.mark.parametrize(
    "password",
    [
        "correct horse battery",
        "rather violet umbrella 7",
        "Xq7!mR2#vT",
        "なかなか難しい合言葉です",
        "violet umbrella " * 64,
    ],
)
def test_a_password_that_is_hard_to_guess_is_taken(password):
    assert not is_weak(password, *OWNER)


def test_facts_about_the_owner_make_a_password_easy():
    for known in (OWNER[0], "KimLovelace", "acmelicensing", "lovelace.kim"):
        assert is_weak(known, *OWNER)
    assert not is_weak("quillbrandt77x")
    assert is_weak("quillbrandt77x", *KNOWN)
    address = "rep@org-9d3768354e12.example"
    assert is_weak(address, address)


@pytest.fixture
def hasty():
    """Threads take turns much more often than usual."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def test_passwords_that_are_judged_at_the_same_time_know_nothing_of_each_other(hasty):
    with ThreadPoolExecutor(8) as pool:
        known = [KNOWN if number % 2 else [] for number in range(100)]
        assert list(pool.map(lambda facts: is_weak("quillbrandt77x", *facts), known)) == [False, True] * 50


@pytest.mark.parametrize("password", [DISGUISES * 51, "({[<1!|7" * 128, "0" * 1024, "p4$$w0rd" * 128])
def test_the_judge_sees_no_more_than_it_can_judge_quickly(password):
    seen = judged_part(password)
    assert len(seen) == 32
    assert len(set(seen) & set(DISGUISES)) <= 8
