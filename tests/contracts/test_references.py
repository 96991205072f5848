import pytest

from tests.contracts.merging import codes, filled, resolved

CLAUSES = (
    '<ol class="clauses"><li><h2>Scope</h2></li><li id="fees"><h2>Fees</h2><ol><li>x</li>'
    '<li>y<ol><li id="late"><p>Late payment</p></li></ol></li></ol></li></ol>'
)
CLAUSE = '<ol class="clauses"><li>a'


def test_a_reference_prints_the_number_of_its_clause():
    content = filled('<p>See <a data-ref="fees">the fees</a> and <a data-ref="late"></a>.</p>' + CLAUSES)
    assert content.startswith('<p>See <a data-ref="fees">2</a> and <a data-ref="late">2.2(a)</a>.</p>')


@pytest.mark.parametrize(
    ("list", "number"),
    [
        ('<ol start="4"><li>a<ol><li id="x">b</li></ol></li></ol>', "4.a"),
        ('<ol class="clauses" start="27"><li><p>a</p><p id="x">b</p></li></ol>', "27"),
        (f'{CLAUSE}<ol start="3"><li>b<ol start="28"><li id="x">c</li></ol></li></ol></li></ol>', "1.3(bb)"),
        (f'{CLAUSE}<ol><li>b<ol><li>c<ol start="9"><li id="x">d</li></ol></li></ol></li></ol></li></ol>', "1.1(a)(ix)"),
    ],
)
def test_numbers_are_those_that_the_lists_have(list, number):
    assert f'<a data-ref="x">{number}</a>' in filled(f'<p><a data-ref="x">?</a></p>{list}')


SCHEDULES = (
    '<div class="schedule" data-if="Deal.features"><h1>Features</h1></div>'
    '<div class="schedule" id="prices"><h1>Schedule <a data-ref="prices">?</a></h1><table><thead><tr><td>No.</td></tr>'
    '</thead><tbody><tr data-each="Deal.platforms"><td>{{Line.position}}</td></tr><tr><th>Services</th></tr>'
    '<tr id="support"><td>Support</td></tr></tbody></table></div><div class="schedule"><h1 id="terms">Terms</h1></div>'
)


def test_a_reference_prints_the_number_of_a_schedule_or_of_a_row_also_of_its_own():
    names = "".join(f'<a data-ref="{name}">?</a>' for name in ("prices", "support", "terms"))
    content = filled(f"<p>{names}</p>{SCHEDULES}")
    for name, number in (("prices", "1"), ("support", "3"), ("terms", "2")):
        assert f'<a data-ref="{name}">{number}</a>' in content
    assert '<h1>Schedule <a data-ref="prices">1</a></h1>' in content


def test_a_clause_that_a_condition_took_out_leaves_a_blank():
    content = '<p><a data-ref="x">?</a></p><ol><li id="x" data-if="Deal.features">a</li><li>b</li></ol>'
    made = resolved(content)
    assert '<a data-ref="x"><span class="blank">____' in made.content
    assert made.unresolved_tags == ["#x"]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ('<p><a data-ref="x">1</a></p><ol><li>a</li></ol>', "unknown_target"),
        ('<p><a data-ref="x">1</a></p><ol><li id="x">a</li><li id="X">b</li></ol>', "repeated"),
        ('<p><a data-ref="x">1</a></p><ol><li data-each="Deal.features" id="x">a</li></ol>', "repeated"),
        ('<p><a data-ref="x">1</a></p><ul><li id="x">a</li></ul>', "misplaced_target"),
        ('<p><a data-ref="x">1</a></p><h2 id="x">a</h2>', "misplaced_target"),
        ('<p><a data-ref="\'><script>">1</a></p>', "unknown_target"),
    ],
)
def test_a_reference_to_what_has_no_number_is_refused(content, code):
    assert codes(content) == [code]


def test_ids_stay_only_where_something_refers_to_them(new_template):
    content = new_template(content='<p id="a">x<a data-ref="b"></a></p><ol><li id="B">y</li></ol>')["content"]
    assert content == '<p>x<a data-ref="b">b</a></p><ol><li id="b">y</li></ol>'


def test_the_table_of_contents_takes_the_place_of_its_paragraph():
    assert filled("<p>{{Contract.table_of_contents}}</p>") == '<div class="contents"></div>'
    assert codes("<p>x {{Contract.table_of_contents}}</p>") == ["misplaced_tag"]
