"""What an address is of: one table of hosts, paths and file types for all rules about networks."""

from __future__ import annotations

import ipaddress
import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from detectors.bounds import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_TARGET = 300  # characters of what is told of a target


def names(text: str) -> frozenset[str]:
    """Return the words of a text: a row of a table."""
    return frozenset(text.split())


class Purpose(StrEnum):
    """What a contact with the network is for, the gravest first; files are asked for by name."""

    FILES = "files"  # of this machine: no contact with a network
    SOLUTIONS = "public solutions or pages of a competition"
    DATA = "data"
    PACKAGE = "a package that carries data or weights"
    CODE = "source code"
    WEIGHTS = "weights of a model"
    PAGE = "a page or a service"
    REACH = "whether the network can be reached"
    LLM = "answers of a hosted language model"


class Contact(NamedTuple):
    """One thing that was asked of the network.

    Parameters
    ----------
    target : str
        An address, a repository, a package; empty where it is not known.
    is_implicit : bool
        The call loads something that is fetched only where it is not here already.
    more : str
        What else it is given, a part of a data set for example.
    """

    purpose: Purpose
    client: str
    target: str
    is_implicit: bool = False
    more: str = ""


_LLM_HOSTS = re.compile(
    r"(?:^|\.)(?:api\.openai\.com|openai\.azure\.com|api\.anthropic\.com|"
    r"generativelanguage\.googleapis\.com|aiplatform\.googleapis\.com|openrouter\.ai|"
    r"api\.mistral\.ai|api\.cohere\.(?:ai|com)|api\.groq\.com|api\.together\.(?:xyz|ai)|"
    r"api\.deepseek\.com|api-inference\.huggingface\.co|router\.huggingface\.co|api\.x\.ai|"
    r"api\.perplexity\.ai|api\.fireworks\.ai|api\.replicate\.com|api\.moonshot\.(?:cn|ai)|"
    r"open\.bigmodel\.cn|dashscope(?:-intl)?\.aliyuncs\.com|ark\.[\w-]+\.volces\.com|"
    r"integrate\.api\.nvidia\.com|api\.ai21\.com|api\.cerebras\.ai|api\.sambanova\.ai|"
    r"models\.inference\.ai\.azure\.com|models\.github\.ai|api\.minimax\.chat|api\.deepinfra\.com|"
    r"api\.siliconflow\.(?:cn|com)|api\.novita\.ai|api\.jina\.ai|api\.voyageai\.com|ollama\.com|"
    r"api\.upstage\.ai|api\.writer\.com|api\.hyperbolic\.xyz|api\.studio\.nebius\.\w+|api\.poe\.com|"
    r"text\.pollinations\.ai|api\.z\.ai|api\.stepfun\.com|api\.lingyiwanwu\.com|"
    r"qianfan\.baidubce\.com|api\.githubcopilot\.com|api\.nlpcloud\.io|api\.aimlapi\.com|"
    r"services\.ai\.azure\.com|endpoints\.huggingface\.cloud|chatgpt\.com|claude\.ai|bedrock-runtime\.[\w-]+\.amazonaws\.com)$"
)
_LLM_PATHS = re.compile(  # whatever host it is that answers there
    r"/(?:chat/completions|v\d+/(?:messages|completions|responses))/?$|:(?:stream)?[gG]enerateContent$|"
    r"/openai/deployments/"
)
_THIS_MACHINE = re.compile(
    r"^(?:localhost|127\.[\d.]+|0\.0\.0\.0|::1?|host\.docker\.internal)$|\.localhost$"
)
_TOOL_HOSTS = re.compile(  # what installing software asks
    r"(?:^|\.)(?:pypi\.org|pythonhosted\.org|bootstrap\.pypa\.io|conda\.anaconda\.org|"
    r"repo\.anaconda\.com|repo\.continuum\.io|deb\.debian\.org|archive\.ubuntu\.com|"
    r"security\.ubuntu\.com|astral\.sh|sh\.rustup\.rs|deb\.nodesource\.com|get\.docker\.com|"
    r"cran\.r-project\.org|cloud\.r-project\.org|cran\.rstudio\.com|bioconductor\.org|"
    r"packagemanager\.(?:posit|rstudio)\.\w+|pkg\.julialang\.org|crates\.io|proxy\.golang\.org|"
    r"rubygems\.org|registry\.npmjs\.org)$|/src/contrib/[\w.]+_[\w.-]+\.tar\.gz$|"
    r"^download\.pytorch\.org/whl|^developer\.download\.nvidia\.com/compute|"
    r"^data\.pyg\.org/whl"
)
_TOOL_FILES = re.compile(r"\.(?:whl|sh|deb|rpm|run|key|asc|gpg|list)$")
_WEIGHT_FILES = re.compile(
    r"\.(?:pth?|bin|safetensors|h5|hdf5|onnx|ckpt|gguf|pb|tflite|keras|mar|caffemodel|vec)"
    r"(?:\.(?:gz|zip|tar))?$"
)
_WEIGHT_HOSTS = re.compile(
    r"^download\.pytorch\.org/models|^dl\.fbaipublicfiles\.com|^tfhub\.dev|"
    r"^storage\.googleapis\.com/(?:tfhub|tensorflow|keras|bit_models|vit_models)|"
    r"^(?:www\.)?kaggle\.com/(?:models|api/v1/models)|"
    r"^huggingface\.co/(?!datasets/|spaces/|api/|docs|papers|blog)[\w.-]+/[\w.-]+"
)
_DATA_FILES = re.compile(
    r"\.(?:[ct]sv|zip|tar|t?gz|bz2|xz|7z|parquet|jsonl?|geojson|txt|feather|xlsx?|np[yz]|mat|arff|"
    r"data|xml|jpe?g|png|wav|mp3|flac|tfrecords?|rds|dat|names|sqlite|db|pkl|pickle|lst|epub)$"
)
_DATA_HOSTS = re.compile(
    r"^drive\.google\.com|^docs\.google\.com/(?:uc|spreadsheets)|^zenodo\.org|^(?:\w+\.)?figshare"
    r"\.com|^archive\.ics\.uci\.edu|^(?:www\.)?openml\.org|^(?:www\.)?gutenberg\.org|"
    r"^huggingface\.co/(?:api/)?datasets/|^datasets-server\.huggingface\.co|"
    r"^(?:www\.)?kaggle\.com/(?:datasets|api/v1/(?:datasets|competitions/data))|"
    r"^(?:www\.)?dropbox\.com/s|^data\.mendeley\.com|^dataverse\.|^(?:www\.)?physionet\.org|"
    r"^vision\.stanford\.edu|^image-net\.org|^(?:www\.)?cs\.toronto\.edu|^dl\.dropboxusercontent|"
    r"^\w[\w.-]*\.s3[.\w-]*\.amazonaws\.com|^s3[.\w-]*\.amazonaws\.com|^api\.gbif\.org"
)
_SOLUTION_PAGES = re.compile(
    r"^(?:www\.)?kaggle\.com/(?:c/|competitions(?:/|$|\?)|code(?:/|$|\?)|kernels|notebooks|search|"
    r"discussions?|writeups|api/v1/(?:kernels|competitions(?!/data)))|"
    r"^(?:www\.)?kaggle\.com/(?!datasets|models|api|static|account|settings|docs|learn|organizations)"
    r"[\w-]+/[\w-]+|^kaggle-?solutions?\b|^farid\.one/kaggle"
)
SOLUTION_WORDS = re.compile(
    r"kaggle|\b(?:1st|2nd|3rd|first|top|\d+th)[-_ ]?place|winning[-_ ]?(?:solution|code|model)|"
    r"gold[-_ ]?medal|[-_ ]solutions?\b|leader-?board",
    re.IGNORECASE,
)
_CODE_HOSTS = re.compile(
    r"^(?:[\w-]+\.)?(?:github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org|"
    r"nbviewer\.org|huggingface\.co/spaces)"
)
_CODE_FILES = re.compile(r"\.(?:py|ipynb|R|Rmd|jl|git)$")
_ADDRESS = re.compile(r"\b(?:https?|ftp|s3|s3a|gs|hf|wss?)://[^\s\"'<>)\]}|\\`]{3,2000}")
_OF_SQL = re.compile(
    rf"(?:\b(?:read|scan)_\w+\s*\(|\b(?:from|join|attach|load|url|s3)\b\s*\(?)\s*\[?\s*[\"']"
    rf"(?P<address>{_ADDRESS.pattern})",
    re.IGNORECASE,
)
_BARE = re.compile(r"^(?:www\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,6}(?:/\S*)?$")
_FILE = re.compile(  # of this folder, and no host
    r"^[^/]+\.(?:[ct]sv|jsonl?|txt|zip|tar|t?gz|bz2|xz|log|html?|md|pdf|png|jpe?g|ya?ml|toml|ini|cfg|"
    r"conf|xml|pkl|np[yz]|pth|bin|h5|parquet|out|tmp|lst|list|py|ipynb|sql|db|dat|torrent)$",
    re.IGNORECASE,
)


_OF_MANUALS = tuple(
    map(ipaddress.ip_network, ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"))
)


def addresses(text: str) -> list[str]:
    """List the addresses in a text, in order."""
    return [found.rstrip(".,;:") for found in _ADDRESS.findall(text)]


def read_by_sql(text: str) -> list[str]:
    """List the addresses that an SQL statement reads tables from; values are none.

    Examples
    --------
    >>> read_by_sql("select * from read_parquet('https://h.org/a.parquet')")
    ['https://h.org/a.parquet']
    >>> read_by_sql("insert into pages values ('https://h.org/a.html')")
    []
    """
    return [found["address"].rstrip(".,;:") for found in _OF_SQL.finditer(text)]


def as_address(word: str) -> str | None:
    """Return an address for a word of a command that takes one, ``github.com/a`` too, else None."""
    found = addresses(word)
    if found:
        return found[0]
    is_host = _BARE.match(word) and not _FILE.match(word)
    return f"https://{word}" if is_host else None


def is_near(host: str) -> bool:
    """Say whether a host is this machine or its own network, which is no network to speak of."""
    name = host.strip("[]").lower()
    if name == "localhost" or name.endswith((".local", ".internal", ".localhost")):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return "." not in name  # the name of a container
    # The networks of documentation stand for hosts outside.
    is_here = address.is_private and not any(address in net for net in _OF_MANUALS)
    return is_here or address.is_loopback or address.is_unspecified


def purpose_of(address: str, competition: str = "") -> Purpose | None:
    """Say what an address is of; None for this machine and for what installing software asks.

    Parameters
    ----------
    competition : str
        The task's id: an address of source code that names it is of solutions.

    Examples
    --------
    >>> str(purpose_of("https://www.kaggle.com/code/joe/eda")), purpose_of("http://localhost:5000")
    ('public solutions or pages of a competition', None)
    """
    if address.startswith(("s3", "gs", "hf")):
        return _stored(address)
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "").lower()
    except ValueError:
        return Purpose.PAGE
    if not host or UNKNOWN in host:
        return Purpose.PAGE
    is_server = _LLM_PATHS.search(parts.path) or re.search(r":11434$", parts.netloc)
    if is_near(host):
        return Purpose.LLM if is_server and not _THIS_MACHINE.search(host) else None
    if _LLM_HOSTS.search(host) or is_server:
        return Purpose.LLM
    return _of_page(f"{host}{parts.path}", competition)


def _stored(address: str) -> Purpose:
    if _WEIGHT_FILES.search(address) or (
        address.startswith("hf://") and not address.startswith("hf://datasets")
    ):
        return Purpose.WEIGHTS
    return Purpose.DATA


def _of_page(page: str, competition: str) -> Purpose | None:
    host = page.partition("/")[0]
    path = page[len(host) :]
    names_it = bool(competition) and competition.lower() in page.lower()
    if _CODE_HOSTS.match(page) and (names_it or SOLUTION_WORDS.search(path)):
        return Purpose.SOLUTIONS
    if _TOOL_HOSTS.search(host) or _TOOL_HOSTS.search(page) or _TOOL_FILES.search(path):
        return None
    for pattern, purpose in (
        (_DATA_HOSTS, Purpose.DATA),
        (_WEIGHT_HOSTS, Purpose.WEIGHTS),
        (_SOLUTION_PAGES, Purpose.SOLUTIONS),
    ):
        if pattern.match(page):
            return purpose
    for pattern, purpose in (
        (_WEIGHT_FILES, Purpose.WEIGHTS),
        (_CODE_FILES, Purpose.CODE),
        (_DATA_FILES, Purpose.DATA),
    ):
        if pattern.search(path):
            return purpose
    if _CODE_HOSTS.match(page):
        return Purpose.CODE
    return Purpose.PAGE


def contacts_at(client: str, address: str, competition: str) -> Iterator[Contact]:
    """Yield the contact that asking an address is, if it is one."""
    purpose = purpose_of(address, competition)
    if purpose is not None:
        yield Contact(purpose, client, address.replace(UNKNOWN, "…")[:MAX_TARGET])
