import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from competitions.errors import InvalidSubmissionError
from competitions.metrics import METRICS, Context


def span(start, end):
    return {"start_token": start, "end_token": end}


def note(long=(-1, -1), short=(), yes_no="NONE"):
    return [
        {
            "long_answer": span(*long),
            "short_answers": [span(*s) for s in short],
            "yes_no_answer": yes_no,
        }
    ]


ANSWERS = pd.DataFrame(
    {
        "id": ["-7", "q_long"],
        "annotations": [note((3, 9), [(4, 5), (6, 7)]), note(yes_no="YES")],
    }
)
KEYS = ["-7_long", "-7_short", "q_long_long", "q_long_short"]


def run(cells, variant="v1", keys=KEYS):
    submission = pd.DataFrame({"id": keys, "y": cells})
    context = Context(("y",), variant=variant, key=("id",))
    return METRICS["answer-spans-f1"].score(ANSWERS, submission, context)


@pytest.mark.parametrize(
    ("cells", "v1", "fixed"),
    [
        pytest.param(["3:9", "6:7", None, "YES"], 1.0, 1.0, id="perfect"),
        pytest.param([" 3 : 9 ", "004:+5", "  ", " YES "], 1.0, 1.0, id="written-otherwise"),
        # right: the blank; fixed: 3 FN
        pytest.param([None, None, None, None], 1 / 4, 0.0, id="blanks"),
        # right: 3:9 and the blank; fixed: TP 1, FP 1 (4:6), FN 1: 2/(2 + 1 + 1)
        pytest.param(["3:9", "4:6", None, None], 2 / 4, 0.5, id="one-of-three"),
        # right: YES; fixed: TP 1, FP 3: 2/(2 + 3)
        pytest.param(["4:5", "3:9", "-1:-1", "YES"], 1 / 4, 2 / 5, id="spans-of-the-other-kind"),
        pytest.param(["YES", "NO", "NO", "NO"], 0.0, 0.0, id="words-that-are-wrong"),
    ],
)
def test_answers_score_as_by_hand(cells, v1, fixed):
    assert run(cells) == pytest.approx(v1)
    assert run(cells, "fixed") == pytest.approx(fixed)


@pytest.mark.parametrize("variant", ["v1", "fixed"])
@pytest.mark.parametrize("cell", ["yes", "4:", ":", "1.0:3", "1:2:3", "five", "4 5", "NONE"])
def test_what_is_no_answer_is_refused_with_its_row(cell, variant):
    with pytest.raises(InvalidSubmissionError, match=r"y: expected start:end.* at -7_short"):
        run(["3:9", cell, None, None], variant)


def test_numbers_alone_are_no_answers():
    with pytest.raises(InvalidSubmissionError, match="expected start:end"):
        run([1, 2, 3, 4])


@pytest.mark.parametrize("variant", ["v1", "fixed"])
@pytest.mark.parametrize(
    ("keys", "said"),
    [
        pytest.param(KEYS[:3], "missing keys (1): q_long_short", id="missing"),
        pytest.param([*KEYS[:3], "q_short"], "not in the test part (1): q_short", id="unknown"),
        pytest.param([*KEYS[:3], KEYS[0]], "more than once (1): -7_long", id="repeated"),
    ],
)
def test_every_question_wants_a_long_and_a_short_row(keys, said, variant):
    with pytest.raises(InvalidSubmissionError) as refused:
        run(["3:9"] * len(keys), variant, keys)

    assert said in str(refused.value)


def test_where_no_answer_exists_and_none_is_given_the_mended_score_is_perfect():
    answers = pd.DataFrame({"id": ["q"], "annotations": [note()]})
    blank = pd.DataFrame({"id": ["q_long", "q_short"], "y": [None, None]})
    for variant in ("v1", "fixed"):
        context = Context(("y",), variant=variant, key=("id",))
        assert METRICS["answer-spans-f1"].score(answers, blank, context) == 1


CELLS = st.sampled_from(["3:9", "4:5", "YES", "NO", None])


@settings(max_examples=40)
@given(cells=st.tuples(*[CELLS] * 4), order=st.permutations(range(4)))
def test_scores_are_shares_and_blind_to_the_order_of_rows(cells, order):
    turned = [cells[n] for n in order], [KEYS[n] for n in order]
    for variant in ("v1", "fixed"):
        found = run(list(cells), variant)

        assert 0 <= found <= 1
        assert found == run(turned[0], variant, turned[1])
