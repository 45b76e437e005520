"""What the logs of an attempt say of the network as a whole, and which code they show idle."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.rules.never_called import still_uncalled
from detectors.rules.not_run import lines_not_run
from detectors.rules.told_contacts import lines_not_taken

if TYPE_CHECKING:
    from detectors.units import CodeUnit

MAX_PRINTED = 1 << 20  # characters of output by which it is known which branch of code was taken

FAILED = re.compile(
    r"could not resolve|couldn't resolve|name resolution|name or service not known|"
    r"network is unreachable|unable to resolve|connection (?:refused|timed out|reset|error)|"
    r"connect(?:ion)?error|connecttimeout|max retries exceeded|newconnectionerror|urlerror|"
    r"no route to host|failed to establish|getaddrinfo failed|proxyerror|offline ?mode|"
    r"localentrynotfound|couldn't connect|couldn't reach|cannot connect|can't connect|"
    r"failed to connect|unable to access|unreachable|403 forbidden|40[134] client error|"
    r"http error 4\d\d|error 404|command not found|no module named|modulenotfounderror|"
    r"apiconnectionerror|authenticationerror|could not find a version|no matching distribution|"
    r"tunnel failed|response 40[37]|network access|no internet|without internet|timed out|"
    r"sslerror|unauthorized|"
    r"100% packet loss|\bcurl: \(\d+\)|\bexit(?:ed|code|[ _]code| status)?[:=\s]+[1-9]\d{0,2}\s*$|"
    r"^000\s*$|"
    r"temporary failure|blocked by|errno 1(?:01|10|11)\b|errno -[23]\b|api_key client option must"
)
GOT = re.compile(
    r"100\s?%(?! packet)|saved \[|200 ok\b|\bdownloaded\b|[kmg]i?b/s\b|resolving deltas|"
    r"receiving objects|"
    r"saving to:|download(?:ing)? (?:complete|finished|done)|inflating: |"
    r"\[nltk_data\][^\n]{0,20}unzipping|download and installation successful|"
    r"generating \w+ split|successfully installed|sha256 checksum ok"
)
_FETCHED = re.compile(  # what is no package
    r"\bdownloading:?\s+100%\|[^\n]{0,80}b/s|\[nltk_data\][^\n]{0,20}unzipping|download[^\n]{0,300}(?:https?://(?!\S*(?:pypi|pythonhosted|\.whl))|"
    r"\.(?:pth?|bin|safetensors|h5|onnx|ckpt|gguf|csv|zip|parquet)\b(?![^\n]{0,40}\.whl))|"
    r"\b[\w.-]{1,80}\.(?:pth?|bin|safetensors|onnx|ckpt|gguf):\s{1,3}100%\|[^\n]{0,60}b/s|"
    r"^(?:loaded|fetched|got|weights|took|using|read|ok)\b[^\n]{0,60}\bfrom https?://"
    r"(?!\S*(?:pypi|pythonhosted|\.whl))",
    re.MULTILINE,
)
_ADDRESS = r"[\"']?\]?\s*[=,:]\s*[\"']?(?:https?|socks5h?)://(?!localhost|127\.)"
_MIRRORS = re.compile(rf"\b(?:HF_ENDPOINT|HF_MIRROR|HUGGINGFACE_CO_\w+|GENSIM_DATA_\w+){_ADDRESS}")
_POINTS = re.compile(rf"{_MIRRORS.pattern}|\b(?:HTTPS?_PROXY|https?_proxy|ALL_PROXY){_ADDRESS}")
_RUNS_CODE = re.compile(r"\b(?:python[\d.]*|ipython|torchrun|papermill|jupyter)\b(?! -m pip)")
_OFFLINE = re.compile(
    r"\b(?:HF_HUB|TRANSFORMERS|HF_DATASETS)_OFFLINE[\"']?\]?\s*[=,]\s*[\"']?(?:1|[Tt]rue)"
)
_HINTS = ("resol", "tunnel", "unreach", "refused", "timed out", "connect", "offline", "100%",
          "saved [", "b/s", "downloaded", "split", "network", "inflating", "urlerror", "retries",
          " from http", "errno", "internet", "localentry", "download", "nltk_data")  # fmt: skip


class Weather:
    """What a log as a whole says of the network, and of the functions that no code calls."""

    def __init__(self, uncalled: set[str] | None = None) -> None:
        self.uncalled = uncalled or set()  # until a log names them
        self.failed = False
        self.got = False
        self.pointed = False  # libraries are told through which mirror or proxy to fetch
        self.runs: list[str] = []  # commands that run a script
        self.printed: list[str] = []
        self.room = MAX_PRINTED

    def look_for_pointers(self, text: str, *, is_run: bool) -> None:
        """Look whether code, or a command that runs some, tells libraries where to fetch."""
        if "://" in text and not self.pointed:
            form = _POINTS if not is_run or _RUNS_CODE.search(text) else _MIRRORS
            self.pointed = bool(form.search(text)) and not _OFFLINE.search(text)

    def look_for_calls(self, text: str) -> None:
        """Look whether a log names functions that no code calls."""
        if self.uncalled:
            self.uncalled = still_uncalled(self.uncalled, text)

    def note(self, text: str) -> None:
        """Look at a text for words of success or failure, and keep some of what was printed."""
        if self.room > 0:
            self.printed.append(text[: self.room])
            self.room -= len(text)
        small = text.lower()
        if any(hint in small for hint in _HINTS):
            self.failed = self.failed or bool(FAILED.search(small))
            self.got = self.got or bool(_FETCHED.search(small))


def idle_lines(units: list[CodeUnit], weather: Weather) -> set[tuple[str, int]]:
    """Return the lines that nothing calls, or that flags, fakes and branches keep from asking."""
    found: set[tuple[str, int]] = set()
    printed = "\n".join(weather.printed)
    for unit in units:
        if unit.language != "python":
            continue
        name = unit.path.partition("#")[0].rpartition("/")[2]
        others = "\n".join(u.text for u in units if u is not unit)
        of_it = [run for run in weather.runs if name in run]
        lines = lines_not_run(unit.text, runs=of_it, others=others, uncalled=weather.uncalled)
        lines |= lines_not_taken(unit.text, printed) if printed else frozenset()
        found |= {(unit.path, line + unit.first_line - 1) for line in lines}
    return found
