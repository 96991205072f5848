"""Rankings and matrices: several controls for one answer."""

RANKING = {"type": "ranking", "options": [{"value": value, "label": value.upper()} for value in "abc"]}
ROW = "x.y" + "z" * 97  # as long as a row's value may be
MATRIX = {
    "type": "matrix",
    "rows": [{"value": ROW, "label": "Price"}, {"value": "z", "label": "Help"}],
    "columns": RANKING["options"][:2],
}


def test_a_ranking_takes_its_places_in_order_whatever_is_left_empty(ask):
    paper = ask(**RANKING)
    assert paper.text("label") == ["Place 1", "Place 2", "Place 3"]
    paper.fill(it=["", "c", "a"]).press()
    assert paper.text("dd:not(.change) p") == ["1. C", "2. A"]
    assert paper.press("submit").stored() == {"it": ["c", "a"]}


def test_an_option_with_two_places_is_refused_and_both_stay(ask):
    paper = ask(**RANKING).fill(it=["b", "b", ""]).press(status=422)
    assert paper.errors() == {"it": "Give each option of “It” one place only."}
    assert [option["value"] for option in paper.html.select("option[selected]")] == ["b", "b"]


def test_a_matrix_names_each_row_that_is_not_answered(ask):
    paper = ask(**MATRIX, required=True).fill(**{"it.1": "b"}).press(status=422)
    assert paper.text("#errors a") == ["Fill in “Price” of “It”."]
    assert paper.html.select_one("#errors a")["href"] == "#f-it-0-0"
    assert paper.html.select_one("[role=radiogroup][aria-invalid]")["aria-describedby"] == "e-it-0"
    paper.fill(**{"it.0": "a"}).press()
    assert paper.text("dd:not(.change) p") == ["Price: A", "Help: B"]
    assert paper.press("submit").stored() == {"it": {ROW: "a", "z": "b"}}


def test_the_answers_of_a_matrix_can_be_taken_back(ask):
    paper = ask(**MATRIX).fill(**{"it.1": "b"}).press().open("?step=one")
    assert paper.press("clear:it").stored() == {}
