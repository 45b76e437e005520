"""Ask whether the hidden answers stand in a public file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from competitions.errors import EvidenceUnavailableError, NotApplicableError
from detectors.base import About, register
from detectors.leakage.answer_items import ALONG, DOWN, in_items, leaves_of, run_lengths
from detectors.leakage.answer_pages import Pages
from detectors.leakage.answer_places import Place, Wanted, in_order, in_table
from detectors.leakage.answer_shapes import array_of
from detectors.leakage.containers import PICTURES, Bounds, contents_of
from detectors.leakage.hidden_answers import as_texts
from detectors.leakage.item_files import item_of
from detectors.leakage.split import is_data, split_of
from reports.schema import Confidence, Quantity, Severity, SubjectKind, TextPair

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    import pandas as pd

    from detectors.base import Subject
    from detectors.leakage.containers import Content
    from detectors.leakage.containers_parsed import Parsed
    from detectors.leakage.split import Split
    from detectors.leakage.tables import Table
    from reports.schema import Finding

MAX_ITEMS = 2_000  # files of one kind
MAX_PICTURES = 4_000
MAX_FINDINGS = 12
SHARD = 5_000  # rows up to which a table is put together with others of its kind
MAX_SHOWN = 300  # letters of an answer
MANY = 0.05  # share of test rows from which answers in a file are of high severity
EXACT = 0.99
_LARGE_PICTURE = 16 << 20
_NUMBER = re.compile(r"\d+")


@register
@dataclass(frozen=True)
class AnswersInPublicFiles:
    """Public files that hold the hidden answers: a column, a label in each file, a mask, a shard.

    Every table, array, record file and archive of the public folder is opened, and each of its
    columns is held against the answers: under the ids, in the order of the test rows, and file by
    file where files are called by test rows; first where a kind of file exists for test rows only.
    Answers are known by value, under other names, by an affine map, by their order, as lists, as
    polygons or masks where they are run lengths, and as pictures where they are pixels. What as
    many rows would agree in by chance is held against shuffled rows; an order that a public column
    or the table has as well is none. Columns that train and test table share are asked about by
    other detectors, and so is the sample submission.

    Nothing is unpickled, links are not followed, and what is too large or cannot be read is told.

    Parameters
    ----------
    max_p : float in (0, 1), default=0.001
        How probable as good an agreement may be by chance, after Bonferroni over all comparisons.
    max_file_mib : int >= 1, default=256
        MiB of one file once unpacked; larger ones are passed over and told.
    max_mib : int >= 1, default=4096
        MiB that are read of all files together.
    """

    about: ClassVar[About] = About(
        id="answers-in-public-files",
        subject=SubjectKind.TASK,
        asks="Do the hidden answers stand in a public file, whatever it is packed in?",
        blind_spots=(
            "Pickles, databases, spreadsheets and encrypted archives are not opened, HDF5 only "
            "where h5py is installed. Answers that have to be worked out of several columns, and "
            "free texts that were reworded, are not seen. Of large files of one kind the first "
            "2,000 are read."
        ),
        reference="https://doi.org/10.1145/2382577.2382579 (Kaufman et al. 2012, Leakage in data "
        "mining)",
    )
    max_p: float = 0.001
    max_file_mib: int = 256
    max_mib: int = 4096

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        return None if is_data(subject) else "it looks at tasks and data only"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When there is no public folder, or the answers are not here.
        """
        split = split_of(subject)
        wanted = self._wanted(split)
        bounds = Bounds(self.max_file_mib << 20, self.max_mib << 20)
        search = _Search(split, wanted, bounds)
        places = sorted(search.places(), key=lambda p: (-p.match.score, p.file, p.column))
        shown: set[tuple[str, str]] = set()
        for place in places:
            if (place.file, place.target) not in shown and len(shown) < MAX_FINDINGS:
                shown.add((place.file, place.target))
                yield self._finding(subject, split, wanted, place, search)
        if bounds.n_skipped:
            yield self._skipped(subject, bounds)

    def _wanted(self, split: Split) -> Wanted:
        if split.public_root is None:
            raise NotApplicableError("two tables alone have no further files")
        if split.answers is not None and split.answers is split.test:
            raise NotApplicableError("the test table itself holds the answers here")
        perfect = split.answered().reset_index(drop=True)
        if not split.key or any(k not in perfect.columns for k in split.key):
            raise EvidenceUnavailableError("data", "its answers have no ids to pair rows by")
        wanted = Wanted(perfect, split, float(np.log(self.max_p)))
        if wanted.names.empty or not wanted.targets:
            raise EvidenceUnavailableError("data", "all of its answers are the same")
        return wanted

    def _finding(
        self, subject: Subject, split: Split, wanted: Wanted, place: Place, search: _Search
    ) -> Finding:
        known = split.on_record("leak")
        record = f" On record: {', '.join(known)}." if known else ""
        match, n_rows = place.match, len(wanted.perfect)
        kind = PurePosixPath(place.file).suffix
        alone = f" Files {kind} exist for test rows only." if kind in search.only_test else ""
        said = f" ({place.column})" if place.column else ""
        return self.about.finding(
            subject,
            f"Values in public/{place.file}{said} {match.how} ({place.target}): {place.n_rows} of "
            f"{n_rows} test rows, {place.joined}.{alone}{record}",
            Quantity(
                name="agreement with the answers, 1 where all agree",
                value=round(match.score, 4),
                compared_with="the largest among 99 shuffles of the rows",
                reference=round(match.by_chance, 4),
            ),
            _shown(wanted, place),
            severity=_severity(place, n_rows, known),
            confidence=Confidence.HIGH if match.is_exact else Confidence.MEDIUM,
        )

    def _skipped(self, subject: Subject, bounds: Bounds) -> Finding:
        name, why = next(iter(bounds.skipped.items()))
        return self.about.finding(
            subject,
            f"{bounds.n_skipped} public files were not looked into (public/{name}: {why}).",
            Quantity(
                name="files that were not looked into",
                value=bounds.n_skipped,
                compared_with="files that were",
                reference=bounds.n_read,
            ),
            severity=Severity.NOTE,
            confidence=Confidence.HIGH,
        )


def _severity(place: Place, n_rows: int, known: tuple[str, ...]) -> Severity:
    if known:
        return Severity.LOW
    is_grave = place.match.is_exact and place.match.score >= EXACT
    return Severity.HIGH if is_grave and place.n_rows >= MANY * n_rows else Severity.MEDIUM


def _shown(wanted: Wanted, place: Place) -> TextPair:
    """Show where the first of the answers stands; the answer itself is hidden."""
    row = int(place.rows[0])
    answer = str(wanted.targets[place.target].iloc[row])[:MAX_SHOWN]
    name = str(wanted.names[row]).replace("\x1f", ", ")
    return TextPair(
        left=f"public/{place.file}",
        right="the hidden answers",
        right_row=row + 1,
        column=place.column or None,
        shows=f"Values here {place.match.how}; the first row is {name[:MAX_SHOWN]}.",
        likeness=min(1.0, place.match.score),
        left_text=f"{place.column or 'the file itself'}, {place.joined}",
        private_text=answer,
    )


class _Search:
    """One walk through the public files.

    Parameters
    ----------
    split : Split
    wanted : Wanted
    bounds : Bounds
    """

    def __init__(self, split: Split, wanted: Wanted, bounds: Bounds) -> None:
        self._split, self._wanted, self._bounds = split, wanted, bounds
        self._pages = Pages(wanted)
        self._held: dict[str, dict[str, Mapping[str, Any]]] = {}
        everything = np.arange(len(wanted.perfect))
        self._has_runs = any(wanted.cells(t, everything).are_runs for t in wanted.targets)
        self._shards: dict[str, list[tuple[str, pd.DataFrame]]] = {}
        self._n_pictures = 0
        self.only_test = _kinds_of_test_alone(split, wanted)

    def places(self) -> Iterator[Place]:
        """Yield where answers stand."""
        root = self._split.public_root
        if root is None:
            return
        first = sorted(
            self._split.public, key=lambda p: (p.suffix.lower() not in self.only_test, p)
        )
        for content in contents_of(first, root, self._bounds):
            yield from self._in_content(content)
        yield from self._in_shards()
        for kind, held in self._held.items():
            yield from in_items(self._wanted, kind, held)

    def _in_shards(self) -> Iterator[Place]:
        """Put tables of like names and columns together: a shard alone may hold too few rows."""
        import pandas as pd

        for same, shards in self._shards.items():
            name, table = shards[0]
            if len(shards) > 1:
                name = same.split("\0")[0]
                table = pd.concat([t for _, t in shards[:MAX_ITEMS]], ignore_index=True)
            yield from in_table(self._wanted, name, table)

    def _in_content(self, content: Content) -> Iterator[Place]:
        suffix = PurePosixPath(content.name.lower()).suffix
        item = item_of(content.name, self._wanted.items)
        if suffix in PICTURES or (suffix == ".npy" and self._pages.are_there):
            yield from self._in_picture(content, item)
            return
        kind = content.name.lower().replace(item, "*") if item else ""
        if item and (len(self._held.get(kind, ())) >= MAX_ITEMS):
            return
        own = self._own_table(content)
        if own is not None:
            yield from in_table(self._wanted, content.name, own, self._left_out(content))
            return
        if _holds(content, self._split.sample):
            return
        parsed = self._bounds.parse(content)
        if parsed is not None:
            if item:
                self._held.setdefault(kind, {}).setdefault(item, leaves_of(parsed))
            yield from self._in_parsed(content, parsed, is_of_item=item is not None)

    def _in_parsed(self, content: Content, parsed: Parsed, *, is_of_item: bool) -> Iterator[Place]:
        left_out = self._left_out(content)
        for where, table in parsed.tables:
            name = f"{content.name}: {where}" if where else content.name
            if len(table) > SHARD or left_out or is_of_item:
                yield from in_table(self._wanted, name, table, left_out)
            else:
                same = f"{_NUMBER.sub('*', name)}\0{list(table.columns)}"
                self._shards.setdefault(same, []).append((name, table))
        for path, value in parsed.leaves.items():
            if isinstance(value, list) or (isinstance(value, np.ndarray) and value.ndim):
                yield from self._in_array(content.name, path, value)

    def _in_array(self, name: str, path: str, value: Any) -> Iterator[Place]:  # noqa: ANN401
        for join in in_order(self._wanted, len(value)):
            yield from self._wanted.places_of(name, [(path, value)], join)

    def _in_picture(self, content: Content, item: str | None) -> Iterator[Place]:
        """Look at a picture where answers are masks or pixels."""
        is_asked = (item and self._has_runs) or self._pages.are_there
        if not is_asked or self._n_pictures >= MAX_PICTURES or content.size > _LARGE_PICTURE:
            return
        self._n_pictures += 1
        try:
            pixels = array_of(content.read())
        except (OSError, ValueError, EOFError, RuntimeError) as error:
            self._bounds.skip(content.name, str(error)[:200])
            return
        if pixels is None:
            self._bounds.skip(content.name, "it is no whole picture")
            return
        if item and self._has_runs:
            runs = {DOWN: run_lengths(pixels), ALONG: run_lengths(pixels, is_down=False)}
            kind = content.name.lower().replace(item, "*")
            self._held.setdefault(kind, {}).setdefault(item, runs)
        place = self._pages.shown_by(content.name, pixels) if self._pages.are_there else None
        if place is not None:
            yield place

    def _own_table(self, content: Content) -> Any:  # noqa: ANN401 - a DataFrame, or None
        """Return the train or the test table where that is the file, as it was read before."""
        for table in (self._split.train, self._split.test):
            is_sample = table is not None and table.name == getattr(self._split.sample, "name", "")
            if table is not None and table.name == f"public/{content.name}" and not is_sample:
                return table.frame
        return None

    def _left_out(self, content: Content) -> frozenset[str]:
        """Return the columns of a table that other detectors look at."""
        test, train = self._split.test, self._split.train
        if train is not None and _holds(content, test):
            return frozenset(self._split.features)
        return frozenset()


def _holds(content: Content, table: Table | None) -> bool:
    """Say whether a file is a table that is known, or lies in the archive that is."""
    name = f"public/{content.name}/"
    return table is not None and name.startswith(f"{table.name}/")


def _kinds_of_test_alone(split: Split, wanted: Wanted) -> frozenset[str]:
    """Return suffixes of files that test rows have and train rows do not."""
    train, root = split.train, split.public_root
    if train is None or root is None or split.key[0] not in train.frame.columns:
        return frozenset()
    known = {name.lower() for name in as_texts(train.frame[split.key[0]])}

    def kinds(names: Any) -> set[str]:  # noqa: ANN401
        return {p.suffix.lower() for p in split.public if _is_of(p, root, names)}

    theirs = kinds(known)
    return frozenset(kinds(wanted.items) - theirs) if theirs else frozenset()


def _is_of(path: Path, root: Path, names: Any) -> bool:  # noqa: ANN401
    return item_of(path.relative_to(root).as_posix(), names) is not None
