"""Reports that are not sound, beside two that are: named, nothing lost, the rest vetted."""

from __future__ import annotations

import json

import pytest

from audit.published import Published
from reports.schema import Conclusion, Outcome
from tests.audit.test_published import vetted
from tests.detectors.claims.test_reports import POINTER
from tests.detectors.claims.twins import report, row, seed, written

CACTUS = "aerial-cactus-identification"
FIRST = "3d-object-detection-for-autonomous-vehicles"  # of each report
DETAILS = {"outcome": "graded", "board_kind": "kaggle", "board_sha256": "0", "board_n_teams": 1}
ASKED = ("header-rows-mismatch", "board-mismatch", "padded-seeds", "impossible-arithmetic")
BOTH = "44.00 ± 1.33"  # of the two sound seeds
ALL = "43.56 ± 0.89"


def text_of(rows):
    return json.dumps({**report(seed(1)), "total_runs": len(rows), "competition_reports": rows})


def half():
    return (text := text_of(seed(1)))[: len(text) // 2]


def value(name):
    return text_of(seed(1)).replace('"score": 1.0', f'"score": {name}', 1)


def first(**changes):
    rows = seed(1)
    return text_of([{**rows[0], **changes}, *rows[1:]])


def all_told(document):
    """Give every sentence that a reader of the document finds."""
    yield from (f"{n.what}: {n.why}" for n in document.not_checked)
    for check in document.checks:
        yield check.reason or ""
        yield from (f.message for f in check.findings)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "words", "n_whole", "figure"),
    [
        pytest.param(
            POINTER, ["bad.json", "a pointer of Git LFS"], "2 of 2", BOTH, id="lfs-pointer"
        ),
        pytest.param(
            half(), ["bad.json: it breaks off", "37 rows"], "2 of 3", BOTH, id="truncated"
        ),
        pytest.param(
            value("NaN"), [f"bad.json: row 3 ({CACTUS}): score is NaN"], "3 of 3", ALL, id="nan"
        ),
        pytest.param(value("-Infinity"), ["score is -Infinity"], "3 of 3", ALL, id="infinity"),
        pytest.param(value("1e999"), ["score is Infinity"], "3 of 3", ALL, id="beyond-a-float"),
        pytest.param(
            value('1.0, "score": 0.5'), ["score stands twice"], "3 of 3", ALL, id="a-key-twice"
        ),
        pytest.param(
            first(created_at="\ud800"), ["half a surrogate pair"], "3 of 3", ALL, id="no-text"
        ),
        pytest.param(
            text_of(seed(1)).replace('"total_runs": 75', f'"total_runs": 1{"0" * 400}', 1),
            ["its total_runs is no number that can be counted"],
            "3 of 3",
            ALL,
            id="a-count-beyond-all",
        ),
        pytest.param(
            first(score=1.7e308, gold_threshold=1.7e308, median_threshold=-1.7e308),
            [FIRST],
            "3 of 3",
            ALL,
            id="as-large-as-floats-get",
        ),
        pytest.param(
            first(colour="blue"), ["row 1: keys not read: colour"], "3 of 3", ALL, id="keys"
        ),
        pytest.param(
            text_of([*seed(1), seed(1)[3]]),
            ["row 76", "is the same as row 4"],
            "3 of 3",
            ALL,
            id="a-row-twice",
        ),
        pytest.param(
            first(competition_id="no-such-task"),
            ["no-such-task", f"lacks {FIRST}"],
            "2 of 3",
            BOTH,
            id="unknown-id",
        ),
        pytest.param(
            first(mle_audit={**DETAILS, "variant": "fixed"}),
            ["variant", FIRST],
            "3 of 3",
            ALL,
            id="mixed-variants",
        ),
        pytest.param(text_of(seed(1)[1:]), [f"lacks {FIRST}"], "2 of 3", BOTH, id="a-task-missing"),
        pytest.param(
            first(mle_audit={**DETAILS, "percentile": 1e300}),
            ["row 1 is left out", "percentile"],
            "2 of 3",
            BOTH,
            id="no-percentile",
        ),
        pytest.param(
            first(score="much"), ["row 1 is left out", "score"], "2 of 3", BOTH, id="no-number"
        ),
    ],
)
def test_what_is_wrong_is_named_and_the_rest_is_vetted(tmp_path, text, words, n_whole, figure):
    good = [written(tmp_path, f"seed_{n}.json", report(seed(n))) for n in (2, 3)]

    bad = written(tmp_path, "bad.json", text)
    found = vetted(bad, *good, data_dir=tmp_path, select=ASKED)
    told = "\n".join(all_told(found))
    (subject,) = found.subjects

    assert [w for w in words if w not in told] == []
    assert subject.facts["complete seeds"] == n_whole
    assert subject.facts["any medal, all (75 tasks)"] == figure
    assert not [c for c in found.checks if c.outcome is Outcome.FAILED]


def test_an_id_that_no_task_has_in_every_report_counts_like_any_other(tmp_path):
    own = [row(CACTUS, "1.0", competition_id="my-own-task"), row("AI4Code", "0.9")]
    paths = [written(tmp_path, f"{n}.json", report(own)) for n in (1, 2)]
    lacking = written(tmp_path, "3.json", report(own[1:]))

    found = vetted(*paths, lacking, data_dir=tmp_path, select=ASKED)

    assert found.subjects[0].facts["complete seeds"] == "2 of 3"
    assert "3.json lacks my-own-task" in "\n".join(all_told(found))


def test_bad_files_spoil_no_published_row(tmp_path):
    bad = [written(tmp_path, f"{n}.json", text) for n, text in enumerate((POINTER, "{", "[]"))]

    found = vetted(
        *bad, data_dir=tmp_path, published=Published(claims=("Low 62.20 ± 1.52, seeds 3",))
    )

    assert found.subjects[0].missing == ("grading report",)
    assert found.verdicts[0].conclusion is Conclusion.REVIEW  # the row cannot be
    assert len({n.what for n in found.not_checked if n.what.startswith("grading report")}) == 3
