"""Where Python asks a server of submissions to learn from its answers, again and again."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from detectors.parsing import lines_of
from detectors.rules.asked_calls import asking_calls
from detectors.rules.grading_calls import GradingCall
from detectors.rules.loop_kinds import until_valid
from detectors.rules.probing_intent import says_intent
from detectors.rules.reply_flow import Flow
from detectors.rules.scoring_servers import ITS_SETTING, names_scorer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from detectors.units import CodeUnit

_SENDS = re.compile(
    r"\brequests?\b|\bhttpx\b|\burllib|\bhttp\.client\b|\baiohttp\b|\bpycurl\b|\bcurl\b|\bwget\b|"
    r"\bsubprocess\b|\bos\.system\b|\bpopen\b|\.post\(|\bsh\b|_submission\b"
)
_ENVIRONMENT = re.compile(
    r"\b(?:env|environment|client|arena|benchmark|grader|judge|oracle)"
    r"\.(?:submit|grade|score|evaluate|validate|check)\w*\("
)
_UPLOADS = re.compile(r"\.post\([^\n]*\bfiles\s*=|\bFormData\(|MultipartEncoder")
_HIDES = re.compile(r"b64decode|fromhex|rot_?13|\[::-1\]|\bchr\(|unhexlify")
_TRAINS = re.compile(
    r"\.(?:fit|train|predict\w*|backward|step|load|load_state_dict)\(|\btrain\w*\(|\bfit\w*\(|"
    r"\bpredict\w*\(|\bopen\(|read_\w+\(|\bload\w*\(|\binfer\w*\(|model|fold|\bmend|\bfix|\brepair"
)
_REMARK = re.compile(r"#[^\n]*|\"\"\"[\s\S]*?\"\"\"|'\''[\s\S]*?'\''|\bprint\([^\n]*")
_DECODES = re.compile(
    r"(?:labels?|truth|answers?|y_?true|y_?test|hidden|bits|decoded|recovered|solved)\w*\s*=[^=\n]*"
    r"(?:>>|&\s*1\b|\bbin\(|\bdivmod\(|'0?\d*b'|\blstsq\(|\bsolve\(|\bpinv\(|\bdecode_?\w*\()|"
    r"\bproduct\([\[(]0, ?1[\])]"
)
_HALVES = re.compile(
    r"//\s*2\b|>>\s*1\b|\b(?:half|mid|middle|pivot|left|right|lo|hi)\b|array_split"
)
_NUMBERS = re.compile(
    r"\b(?:range|trange|arange|linspace|logspace|geomspace|product|combinations\w*|permutations|"
    r"hadamard|eye|uniform|normal|randint|choice|sample)\b"
)
_VARIES = (
    r"(?:>=?|<=?|\*\*?|\+|-|/|\bclip\(|\bround\(|\bshift|\bpower\(|default_rng\(|seed\(|"
    r"\bwhere\(|\bquantile\()"
)


def probing_in_units(
    units: Sequence[CodeUnit], ports: frozenset[str], *, is_told: bool
) -> Iterator[GradingCall]:
    """Yield the places in Python that ask again and again and learn from it.

    Units of one module share their names; functions that ask are followed into other modules.
    """
    units = [u for u in units if u.language == "python"]
    if not any(may_probe(u.text, is_told=is_told) for u in units):
        return
    scripts = asking_scripts(units, ports, is_told=is_told)
    asks = asking_calls(units, ports, is_told=is_told, scripts=scripts)
    if not asks:
        return
    modules: dict[str, list[CodeUnit]] = {}
    for unit in units:
        modules.setdefault(unit.module, []).append(unit)
    known: frozenset[str] = frozenset()
    replying: frozenset[str] = frozenset()
    flows: list[Flow] = []
    for _round in range(2):  # the second one knows the functions of the others
        flows = [Flow(one, asks, known, replying) for one in modules.values()]
        known = frozenset(n for f in flows for n in f.askers if n not in {"main", "run"})
        replying = known & {n for f in flows for n in f.returning}
    learning = {n for f in flows if f.learns() for n in f.askers}
    seen: set[tuple[str, int]] = set()
    for flow in flows:
        takes = flow.learns()
        for unit, node, loop in flow.repeated():
            learns = takes or _asks_by(node, learning)
            shows = _learned(flow, node, loop, learns=learns)
            line = getattr(node, "lineno", 1)
            if shows and (unit.path, line) not in seen:
                seen.add((unit.path, line))
                yield _place(unit, node, shows)
        for unit, node, shows in _meant(flow, takes=takes):
            if (unit.path, getattr(node, "lineno", 1)) not in seen:
                seen.add((unit.path, getattr(node, "lineno", 1)))
                yield _place(unit, node, shows)


def _meant(flow: Flow, *, takes: bool) -> Iterator[tuple[CodeUnit, ast.AST, str]]:
    """Yield a question whose score is decoded, or that a remark says to be there for answers."""
    for unit, body in flow.bodies:
        asks = [n for s in body for n in ast.walk(s) if flow.is_ask(n)]
        if not asks:
            continue
        remarks = "\n".join(m[0] for m in _REMARK.finditer(unit.text))
        if takes and _DECODES.search(unit.text):
            yield unit, asks[0], "decodes the hidden labels from the score of one file"
        elif takes and len({ast.unparse(n) for n in asks if flow.is_numbered(n)}) > 1:
            yield unit, asks[0], "asks what several constants score"
        elif says_intent(remarks) and (
            len(asks) > 1 or any(u is unit for u, _, _ in flow.repeated())
        ):
            yield unit, asks[0], "asks to be told what the hidden answers hold, as a remark says"


def _asks_by(node: ast.AST, names: set[str]) -> bool:
    """Say whether a call is of one of these functions, or is handed one."""
    return any(
        getattr(n, "id", getattr(n, "attr", "")) in names
        for n in ast.walk(node)
        if isinstance(n, ast.Name | ast.Attribute)
    )


def may_probe(text: str, *, is_told: bool) -> bool:
    """Say whether a piece of Python has the words that every question has."""
    if _ENVIRONMENT.search(text):
        return True
    return bool(_SENDS.search(text)) and (
        is_told
        or names_scorer(text)
        or bool(ITS_SETTING.search(text) or _HIDES.search(text))
        or _UPLOADS.search(text) is not None
    )


def asking_scripts(
    units: Sequence[CodeUnit], ports: frozenset[str], *, is_told: bool
) -> dict[str, bool]:
    """Return the Python files that ask, by name, and whether they take a score out of an answer."""
    python = [u for u in units if u.language == "python" and may_probe(u.text, is_told=is_told)]
    asks = asking_calls(python, ports, is_told=is_told) if python else set()
    found: dict[str, bool] = {}
    for unit in python:
        if any(path == unit.path for path, _, _ in asks):
            name = unit.path.partition("#")[0].rpartition("/")[2]
            found[name] = found.get(name, False) or Flow([unit], asks).learns()
    return found


def _learned(flow: Flow, node: ast.AST, loop: ast.AST | None, *, learns: bool) -> str:
    """Say what is learnt by asking again and again; empty where nothing is seen of it."""
    if learns:
        return "asks again and again what its files score, and takes the score out of the answers"
    if loop is None:
        return ""
    is_function = isinstance(loop, ast.FunctionDef | ast.AsyncFunctionDef)
    cuts = is_function or (isinstance(loop, ast.While) and _takes_part(node))
    if cuts and _HALVES.search(ast.unparse(loop)[:8000]):
        return "asks about halves of halves of the rows"
    if is_function:
        return ""
    return "" if until_valid(loop) else _varied(flow, node, loop)


def _varied(flow: Flow, node: ast.AST, loop: ast.AST) -> str:
    """Say how the files of a loop differ, where they differ as those of a search do."""
    if _by_row(loop):
        return "asks about one row, or some, after the other"
    if _is_adaptive(flow, node, loop):
        return "lets each answer make the next file that it asks about"
    if _by_number(loop):
        return "asks about one variation of the same predictions after the other"
    return ""


def _takes_part(node: ast.AST) -> bool:
    """Say whether a call is given a part of something, cut at a name: ``rows[:middle]``."""
    return any(
        isinstance(n, ast.Slice)
        and any(isinstance(b, ast.Name | ast.BinOp) for b in (n.lower, n.upper))
        for n in ast.walk(node)
    )


def _target_names(loop: ast.AST) -> set[str]:
    targets = (
        [loop.target]
        if isinstance(loop, ast.For | ast.AsyncFor)
        else [g.target for g in getattr(loop, "generators", [])]
    )
    return {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}


def _by_row(loop: ast.AST) -> bool:
    """Say whether each round changes or leaves out rows that the loop goes through."""
    names, text = _target_names(loop), ast.unparse(loop)[:8000]
    if isinstance(loop, ast.While):
        names = {n.target.id for n in ast.walk(loop) if isinstance(n, ast.AugAssign)
                 and isinstance(n.target, ast.Name)}  # fmt: skip
    for name in names:
        it = rf"\b{re.escape(name)}\b"
        if re.search(
            rf"\.(?:loc|iloc|at|iat)\[[^\]=\n]*{it}[^=\n]*\]\s*[-+*^|]?=(?!=)|"
            rf"\.drop\((?!columns)[^)\n]*{it}|\.iloc\[\[?[^\]\n]*{it}[^\n]*to_csv|"
            rf"\bisin\([^)\n]*{it}|\[[^\[\]\n]*(?:\[[^\[\]\n]*\]|\.\w+) != {it}|"
            rf"\.iloc\[:{it}|\.(?:head|tail)\([^)\n]*{it}|query\([^)\n]*!=[^)\n]*{it}|"
            rf"\b(\w+)\[{it}\] = (?:1 - \1\[|not \1\[|~)|\b\w+\[{it}\] \^= ",
            text,
        ):
            return True
    return False


def _is_adaptive(flow: Flow, node: ast.AST, loop: ast.AST) -> bool:
    """Say whether what a question is made of was set in the loop from an answer."""
    if not isinstance(loop, ast.For | ast.AsyncFor | ast.While) or not isinstance(node, ast.Call):
        return False
    made = {
        n.id
        for one in ast.walk(loop)
        if isinstance(one, ast.Assign | ast.AugAssign)
        and flow.is_reply(one.value)
        and any(isinstance(c, ast.Call) and not flow.is_ask(c) for c in ast.walk(one.value))
        for target in (one.targets if isinstance(one, ast.Assign) else [one.target])
        for n in ast.walk(target)
        if isinstance(n, ast.Name)
    }
    given = (*node.args, *(k.value for k in node.keywords))
    used = {n.id for a in given for n in ast.walk(a) if isinstance(n, ast.Name)}
    return bool(made & used) and bool(re.search(r"text|json|result|content", ast.unparse(loop)))


def _by_number(loop: ast.AST) -> bool:
    """Say whether a loop over numbers varies what is there already, and nothing is trained."""
    if not isinstance(loop, ast.For | ast.AsyncFor):
        return False
    if any(isinstance(n, ast.Break | ast.Return) for n in ast.walk(loop)):
        return False
    body = "\n".join(ast.unparse(s) for s in loop.body)[:8000]
    goes_through = ast.unparse(loop.iter)
    if not _NUMBERS.search(goes_through) or _TRAINS.search(body):
        return False
    return any(
        re.search(rf"{_VARIES}\s*\(?\s*{re.escape(n)}\b|\b{re.escape(n)}\s*{_VARIES}", body)
        for n in _target_names(loop)
    )


def _place(unit: CodeUnit, node: ast.AST, shows: str) -> GradingCall:
    first = getattr(node, "lineno", 1)
    last = getattr(node, "end_lineno", None) or first
    excerpt = "\n".join(lines_of(unit.text)[first - 1 : last])
    at = unit.first_line - 1
    return GradingCall(unit.path, first + at, last + at, excerpt, shows, again=True)
