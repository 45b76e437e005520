"""Hold public pictures against answers that are the pixels of pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from detectors.leakage.answer_match import LEAST, Match
from detectors.leakage.answer_places import Place
from detectors.leakage.hidden_answers import as_texts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detectors.leakage.answer_places import Wanted

MIN_PIXELS = 64
EQUAL = 0.98  # share of pixels that are equal but for rounding
LINEAR = 0.99  # correlation of all
_LEAST_VARIED = 0.005  # standard deviation of a page, of the range of its values: not blank
_PIXEL = re.compile(r"(.+?)_(\d+)_(\d+)")


class Pages:
    """Answers that are pixels, page by page; none where ids are not ``page_row_column``.

    Parameters
    ----------
    wanted : Wanted
    """

    def __init__(self, wanted: Wanted) -> None:
        self._pages: list[tuple[str, str, NDArray[np.intp], NDArray[np.float64]]] = []
        first = as_texts(wanted.perfect[wanted.split.key[0]])
        cut = [_PIXEL.fullmatch(one) for one in first.head(LEAST)]
        if len(wanted.split.key) != 1 or len(first) < MIN_PIXELS or None in cut:
            return
        page = first.str.split("_", n=1).str[0].to_numpy()
        order = np.argsort(page, kind="stable")
        bounds = np.flatnonzero(page[order][1:] != page[order][:-1]) + 1
        for target in wanted.targets:
            numbers = wanted.cells(target, np.arange(len(first))).numbers
            for rows in np.split(order, bounds) if numbers is not None else ():
                if numbers is not None and len(rows) >= MIN_PIXELS:
                    self._pages.append((str(page[rows[0]]), target, rows, numbers[rows]))

    @property
    def are_there(self) -> bool:
        """Whether answers are pixels at all."""
        return bool(self._pages)

    def shown_by(self, name: str, pixels: NDArray[Any]) -> Place | None:
        """Return the page that a picture shows as the answers have it, if it does."""
        flat = pixels.ravel().astype(float), pixels.T.ravel().astype(float)
        for page, target, rows, answers in self._pages:
            if pixels.size != len(answers):
                continue
            for values in flat:
                match = _alike(values, answers)
                if match is not None:
                    return Place(
                        name,
                        f"pixels of page {page}",
                        target,
                        "pixel by pixel",
                        match,
                        rows,
                        len(rows),
                    )
        return None


def _alike(shown: NDArray[np.float64], answers: NDArray[np.float64]) -> Match | None:
    """Compare two pages, each brought to values from 0 to 1 by its kind."""
    left, right = (v / (255.0 if np.nanmax(v) > 1 else 1.0) for v in (shown, answers))
    if min(left.std(), right.std()) < _LEAST_VARIED:
        return None
    r = float(np.corrcoef(left, right)[0, 1])
    share = float((np.abs(left - right) <= 0.01).mean())  # noqa: PLR2004 - rounded to 2 decimals
    if r < LINEAR or share < EQUAL:
        return None
    mixed = np.random.default_rng(0).permutation(left)
    by_chance = float((np.abs(mixed - right) <= 0.01).mean())  # noqa: PLR2004
    log_p = (len(left) - 2) / 2 * float(np.log(max(1e-12, 1 - r * r)))
    how = "are the answers, value for value"
    return Match(how, share, log_p, by_chance, len(left), is_exact=True)
