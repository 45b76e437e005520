"""By which names processes and services of the harness are known."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

NAMES = re.compile(
    r"mle[-_]?audit|mle[-_]?bench|\bkeeper\b|(?<![a-z])supervis(?:e|or)|validat(?:or|$|ion_?server|e_submission)|"
    r"(?<![a-z])grad(?:er|ing)(?![a-z])|\bbwrap\b|bubblewrap",
    re.IGNORECASE,
)
WATCHERS = re.compile(
    r"watch_?dog|mem_?watch|\bjudge\b|\bscorer|evaluat(?:or|ion_?server)|time_?keeper|limiter|time_?limit|"
    r"(?:grading|validation|score|scoring|eval|environment|env)[_-]?server|\boom_?(?:killer|guard|monitor|watch)|"
    r"(?<![a-z])harness(?![a-z])|(?:mem(?:ory)?|resource|limit|run(?:ner)?/?|time(?:out)?|budget|quota|session|process|proc|sandbox)"
    r"[._-]?(?:monitor|guard|watch(?:er)?|enforcer|reaper|killer|recorder|keeper|police|warden)|"
    r"(?:run|session|attempt|limit|budget|wall_?clock|kill)[_-]timer\b|time(?:r|out)?[_-](?:daemon|police)|\breaper\b|(?:session|action|trajectory|audit|command)[_-]?(?:recorder|logger)|"
    r"\bsentinel\b|\boverseer\b|\bguardian\b|_enforcer\b|\basciinema\b|\bttyrec\b|\bauditd\b|\bfalco\b|/opt/(?:runner|grader|harness|scaffold|supervisor)\b",
    re.IGNORECASE,
)


def is_harness(said: str, own: AbstractSet[str] = frozenset()) -> bool:
    """Say whether a command line or a name is that of a process of the harness.

    Parameters
    ----------
    own : set of str
        Names of the attempt's own files; a process that runs one is its own.

    Examples
    --------
    >>> is_harness("python /opt/runner/watchdog.py"), is_harness("python train.py")
    (True, False)
    >>> is_harness("python watchdog.py", {"watchdog.py"})
    False
    """
    words = {posixpath.basename(w.strip("\"'")) for w in said.split()}
    stems = {w.rpartition(".")[0] for w in own if w.endswith((".py", ".sh"))}
    if (own | stems) & words and not any(w.startswith("/opt/") for w in said.split()):
        return False
    return bool(NAMES.search(said) or WATCHERS.search(said))
