"""Several documents of a task: one measure, each kind beside controls of its own."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from audit.familiarity import Question, _described, _document, rows
from audit.familiarity_panel import Panel, known_of
from audit.familiarity_texts import Asked, asked_of
from audit.verdict import load_policy
from competitions.errors import UsageError
from competitions.spec import load
from detectors.familiarity.documents import Document, Kind
from detectors.familiarity.known_task_text import message_of
from detectors.familiarity.texts import Text
from detectors.familiarity.tokens import TokenScores
from detectors.known import Decision, Known
from detectors.model import Model
from reports.schema import Outcome, Quantity
from tests.audit.test_familiarity import NOW

WORDS = [
    "model",
    "data",
    "train",
    "test",
    "score",
    "fold",
    "image",
    "label",
    "value",
    "table",
    "mean",
    "rows",
    "split",
]
CODE = ["fit(x)", "predict(y)", "x = load(z)", "print(score)", ""]


class Bench:
    """Documents, and what an invented model says of their tokens."""

    def __init__(self):
        self.rng = np.random.default_rng(0)
        self.scores: dict[str, TokenScores] = {}

    def document(self, kind, *, known=0.0, n_tokens=200, filed=False, url=""):
        words = CODE if kind is Kind.CODE else WORDS
        content = " ".join(self.rng.choice(words, n_tokens))
        text = Text(f"{kind.value} {len(self.scores)}", content)
        values = self.rng.normal(-4 + known, 2, n_tokens)
        nothing = np.zeros((n_tokens, 2), dtype=np.int64)
        self.scores[text.sha256] = TokenScores.of(
            text, nothing, values, mean=np.full(n_tokens, -4.0), deviation=np.full(n_tokens, 2.0)
        )
        return Document(text, kind, url, filed=filed)

    def several(self, n, kind, **more):
        return [self.document(kind, **more) for _ in range(n)]

    def known(self, tasks, controls):
        asked = [Asked(load("spaceship-titanic"), "toy", tuple(docs)) for docs in tasks]
        return known_of(asked, Panel(self.scores, {}, controls, "of toys"))


@pytest.fixture
def bench():
    return Bench()


def test_a_task_whose_posts_are_known_stands_out_and_another_does_not(bench):
    controls = bench.several(40, Kind.POST)

    known, unknown = bench.known(
        [bench.several(5, Kind.POST, known=0.5), bench.several(5, Kind.POST)], controls
    )

    assert isinstance(known, Known)
    assert isinstance(unknown, Known)
    assert known.decision is Decision.FAMILIAR
    assert unknown.decision is Decision.NOTHING_SEEN
    assert known.interval[0] < known.calibrated.excess < known.interval[1]
    assert "of 5 documents (5 post)" in message_of(known)
    assert known.n_tokens == 1000


def test_what_has_no_controls_of_its_kind_is_left_out_and_said(bench):
    documents = [bench.document(Kind.POST), *bench.several(2, Kind.CODE, known=5.0)]

    (found,) = bench.known([documents], bench.several(30, Kind.POST))

    assert isinstance(found, Known)
    assert [d.left_out for d in found.documents] == ["", *["no controls of its kind"] * 2]
    assert found.decision is Decision.NOTHING_SEEN
    assert found.n_controls == 30


def test_a_paraphrase_is_shown_and_never_counts(bench):
    documents = [bench.document(Kind.DESCRIPTION), bench.document(Kind.OBFUSCATED, known=5.0)]

    (found,) = bench.known([documents], bench.several(30, Kind.POST))

    assert isinstance(found, Known)
    assert found.decision is Decision.NOTHING_SEEN
    assert [d.kind for d in found.counting] == ["description"]
    assert found.documents[1].excess > 5


def test_too_short_a_post_is_left_out(bench):
    documents = [bench.document(Kind.POST), bench.document(Kind.POST, n_tokens=20)]

    (found,) = bench.known([documents], bench.several(30, Kind.POST))

    assert isinstance(found, Known)
    assert found.documents[1].left_out == "fewer than 64 tokens"
    assert math.isnan(found.documents[1].excess)


def test_posts_of_another_kind_than_the_controls_are_confounded(bench):
    odd = [bench.document(Kind.POST, n_tokens=4000) for _ in range(6)]

    (found,) = bench.known([odd], bench.several(30, Kind.POST))

    assert isinstance(found, Known)
    assert found.decision is Decision.CONFOUNDED


def test_no_controls_of_any_kind_is_an_error(bench):
    with pytest.raises(UsageError, match="at least 19 control texts, found 0"):
        bench.known([bench.several(2, Kind.CODE)], bench.several(30, Kind.POST))


def test_the_document_has_a_row_per_kind_and_an_excess_per_document(bench):
    controls = [*bench.several(30, Kind.POST), *bench.several(30, Kind.CODE)]
    documents = [
        *bench.several(3, Kind.POST, url="https://example.org/1"),
        *bench.several(2, Kind.CODE),
        bench.document(Kind.POST, n_tokens=10),
    ]
    (found,) = bench.known([documents], controls)
    assert isinstance(found, Known)
    model = Model("m", "m", load("spaceship-titanic"), "5 texts", found)

    report = _document([model], Question(model="m"), load_policy(), NOW)

    assert report.checks[0].outcome is Outcome.CLEAN
    shown = rows(report)
    assert [cells[0] for cells in shown] == ["spaceship-titanic", "  post", "  code"]
    assert "1 left out (fewer than 64 tokens)" in shown[1][2]
    evidence = report.checks[0].findings[0].evidence
    named = [e.name for e in evidence if isinstance(e, Quantity)]
    assert sum(name.startswith("excess of ") for name in named) == 5
    assert "https://example.org/1" in report.model_dump_json()


def test_a_single_text_has_no_rows_of_kinds(bench):
    (found,) = bench.known([[bench.document(Kind.POST)]], bench.several(30, Kind.POST))
    assert isinstance(found, Known)
    model = Model("m", "m", None, "a.md", found)

    assert "post" not in _described(model, Question(model="m")).facts


def test_documents_of_a_task_are_found_beside_its_official_text(tmp_path):
    place = tmp_path / "mlebench" / "competitions" / "spaceship-titanic"
    place.mkdir(parents=True)
    (place / "description.md").write_text("Official.")
    (place / "description_obfuscated.md").write_text("Without its story.")
    (tmp_path / "texts" / "spaceship-titanic").mkdir(parents=True)
    (tmp_path / "texts" / "spaceship-titanic" / "1.md").write_text("A post.")
    question = Question(
        specs=(load("spaceship-titanic"),), description=tmp_path, folder=tmp_path / "texts"
    )

    (both,) = asked_of(question, tmp_path)
    (alone,) = asked_of(dataclasses.replace(question, description=None), tmp_path)

    assert [d.kind for d in both.documents] == [Kind.DESCRIPTION, Kind.OBFUSCATED, Kind.POST]
    assert both.documents[1].text.content == "Without its story.\n"
    assert [d.kind for d in alone.documents] == [Kind.POST]
    assert "official text is needed" in alone.gaps[0]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        pytest.param({"folder": "nowhere"}, "a folder of texts, found nothing", id="no-folder"),
        pytest.param({"urls": "nowhere"}, "a table of URLs, found nothing", id="no-table"),
        pytest.param({"urls": "."}, "--texts DIR", id="a-table-alone"),
    ],
)
def test_a_place_that_is_not_there_is_told(more, said, tmp_path):
    named = {key: tmp_path / value for key, value in more.items()}

    with pytest.raises(UsageError) as caught:
        asked_of(Question(**named), tmp_path)

    assert said in f"{caught.value} {caught.value.remedy}"
