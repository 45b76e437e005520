"""Names of countries and regions in sixteen languages; the territory names of Babel's CLDR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.sources.embedded.base import Embedded, permutation, shuffled

if TYPE_CHECKING:
    import pandas as pd

_LANGUAGES = {
    "ca": "Catalan",
    "cs": "Czech",
    "da": "Danish",
    "es": "Spanish",
    "et": "Estonian",
    "fi": "Finnish",
    "fr": "French",
    "hr": "Croatian",
    "hu": "Hungarian",
    "it": "Italian",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "sk": "Slovak",
    "sl": "Slovenian",
    "sv": "Swedish",
}
_NO_PLACES = {"XA", "XB", "ZZ"}  # two test locales, and the unknown region


def table() -> pd.DataFrame:
    """Build the names: `id`, `place` (its number), `name` and `language`.

    Names that two of the languages share (whatever the case) are left out: they have no right
    answer. So each name occurs once.

    References
    ----------
    Unicode Common Locale Data Repository. https://cldr.unicode.org
    """
    import pandas as pd
    from babel import Locale

    names = {code: Locale(code).territories for code in _LANGUAGES}
    places = sorted(set.intersection(*(set(n) for n in names.values())) - _NO_PLACES)
    numbers = dict(zip(places, permutation(len(places)) + 1, strict=True))
    rows = [
        (numbers[place], names[code][place], language)
        for place in places
        for code, language in _LANGUAGES.items()
    ]
    frame = pd.DataFrame(rows, columns=["place", "name", "language"])
    unique = ~frame["name"].str.casefold().duplicated(keep=False)
    return shuffled(frame[unique])


EMBEDDED = Embedded("place-names", table)
