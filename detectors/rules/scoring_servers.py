"""What names a server or script that judges submissions, in an address, a command or a setting."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_HERE = r"(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]|host\.docker\.internal)"
_JUDGES = (
    r"(?:validat|valid|grad(?:e|ing)|scor(?:e|ing)|judge|oracle|evaluat|eval|referee|mle-?bench)"
)
_ITS_PATH = re.compile(
    r"/(?:api/|v\d/)?(?:validat\w*|grad(?:e|ing)\w*|scor(?:e|es|ing)|evaluat\w*|eval|judge|check\w*|"
    r"verify\w*|submit\w*|submission\w*|feedback|oracle|metric)\b"
)
_ITS_PORT = re.compile(r"(?::|\bport\W{1,5})5000(?!\d)", re.IGNORECASE)
_THAT_PORT = re.compile(r"\b5000\b")
_ALONE = re.compile(  # on any port nothing else is called so
    rf"{_HERE}(?::\d{{1,5}})?/(?:api/|v\d/)?(?:validate|validation|grade|grading|validate_submission|"
    r"grade_submission|score_submission|evaluate_submission)\b"
)
_ITS_HOST = re.compile(
    rf"(?:https?://|[\s\"'=@(]|^)(?:[\w-]*[-_.])?{_JUDGES}\w{{0,6}}(?:[-_.][\w.-]*)?(?::\d{{1,5}})?"
    rf"/(?:api/|v\d/)?(?:validat|grad|scor|eval|judge|check|submi|feedback|metric)\w*"
)
_AT_VARIABLE = re.compile(  # a host that the shell knows
    r"\$\{?\w+\}?(?::\d{1,5})?/(?:api/|v\d/)?(?:validate|validation|grade|grading|validate_submission|"
    r"grade_submission|score_submission|evaluate_submission)\b"
)
_SCRIPT = re.compile(
    r"\b(?:validate|grade|score|check|evaluate|verify|judge)_submission\b(?:\.(?:sh|py))?|"
    r"\bVALIDATE_SUBMISSION\b"
)
ITS_SETTING = re.compile(
    r"\b\w*(?:VALIDAT|GRADE|GRADING|GRADER|SCORER|SCORING|JUDGE|ORACLE|EVALUAT)\w*"
    r"_?(?:URL|URI|HOST|ENDPOINT|ADDR(?:ESS)?|SERVER|API)\b|"
    r"\b(?:SCORE|EVAL)_(?:URL|URI|HOST|ENDPOINT|ADDR(?:ESS)?|SERVER|API)\b",
    re.IGNORECASE,
)
_SERVES = re.compile(
    r"@\w+\.(?:route|post|get|put|api_route)\(\s*[\"']/?(?:api/)?(?:validat|grad|scor|eval|check|submi)|"
    r"\bdo_POST\b|\bapp\.(?:post|all|use)\(\s*[\"'`]/?(?:validat|grad|scor|eval|check|submi)|"
    r"add_(?:url_rule|api_route|post)\(\s*[\"']/?(?:validat|grad|scor|eval)"
)
_OWN_PORT = re.compile(
    r"(?:\bport\s*[=:]\s*|--port[= ]|-p |listen\(|\.run\(\s*[\"'][^\"'\n]*[\"']\s*,\s*|"
    r"HTTPServer\(\(\s*[^,\n]{0,40},\s*)(\d{2,5})"
)
_RUNS_SERVER = re.compile(
    r"\b(?:uvicorn|gunicorn|hypercorn|waitress-serve|fastapi (?:run|dev)|flask\b[^\n;&|]*\brun|"
    r"bentoml serve|mlflow models serve|torchserve|"
    r"python[\d.]* -m (?:http\.server|flask|uvicorn))\b"
    r"(?P<rest>[^\n;&|]*)"
)
_GIVEN_PORT = re.compile(r"(?:--port[= ]|-p ?|--bind[= ]\S*:|-b ?\S*:|http\.server )(\d{2,5})")
_ANY_PORT = re.compile(r":(\d{2,5})(?:/|\b)")


def names_scorer(text: str, around: str = "") -> bool:
    """Say whether a text names what judges submissions, in pieces of any order.

    Parameters
    ----------
    around : str
        The program it stands in: a path alone is told by the port that stands there.

    Examples
    --------
    >>> names_scorer("http://localhost:5000/validate"), names_scorer("./validate_submission.sh")
    (True, True)
    >>> names_scorer("http://localhost:8000/predict"), names_scorer("http://x:5000/api/2.0/mlflow")
    (False, False)
    """
    if any(known.search(text) for known in (_SCRIPT, _ALONE, _ITS_HOST, _AT_VARIABLE)):
        return True
    if not _ITS_PATH.search(text):
        return False
    alone = bool(re.match(r"^\s*/?(?:api/|v\d/)?\w+/?\s*$", text))
    raw = re.search(r"\bPOST\s+/(?:api/|v\d/)?(?:validat|grad|scor|evaluat)\w*", text)
    return bool(_ITS_PORT.search(text) or ((alone or raw) and _THAT_PORT.search(around)))


def own_ports(texts: Iterable[str]) -> frozenset[str]:
    r"""Return the ports on which programs of the attempt itself judge files.

    Examples
    --------
    >>> sorted(own_ports(["@app.post('/validate')\ndef v(): ...\napp.run(port=5999)"]))
    ['5999']
    """
    found: set[str] = set()
    for text in texts:
        if _SERVES.search(text):
            found |= set(_OWN_PORT.findall(text)) or {"5000", "8000"}
    return frozenset(found)


def is_own(text: str, ports: frozenset[str]) -> bool:
    """Say whether every port that a text names is one of the attempt's own servers."""
    named = set(_ANY_PORT.findall(text))
    return bool(named) and named <= ports


def ports_served(command: str) -> frozenset[str]:
    """Return the ports on which a command starts a server.

    Examples
    --------
    >>> sorted(ports_served("uvicorn serve:app --port 5000 & sleep 3"))
    ['5000']
    """
    found: set[str] = set()
    for run in _RUNS_SERVER.finditer(command):
        found |= set(_GIVEN_PORT.findall(run[0])) or {"5000", "8000"}
    return frozenset(found)
