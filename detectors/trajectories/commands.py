"""Telling a command line from prose."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.shell import HEREDOC

if TYPE_CHECKING:
    from detectors.trajectories.events import Event

_NEXT = re.compile(  # what the agent or its scaffold says after an output
    r"^(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.,\d]*Z?\]?|\[?\d\d:\d\d:\d\d\]?)?[\s|-]*"
    r"(?:agent|assistant|user|system|thought|action|plan|model|llm)(?: \(\w+\))?\s?[:>|]",
    re.IGNORECASE,
)


_OPENS = re.compile(r"(?:^|[\s;])do\s*$")
_CLOSES = re.compile(r"^\s*done\b\s*(?:$|[;<>|&)])")


def whole(event: Event) -> Event:
    """Give a command what a log has of it on the lines after it, and only its output.

    That is a here-document, or the body of a loop. What came back ends where the agent or its
    scaffold speaks again.
    """
    if not event.output:
        return event
    mark = HEREDOC.search(event.text)
    lines = event.output.split("\n")
    ends = [line.strip() for line in lines]
    if mark and "\n" not in event.text.strip() and mark[2] in ends:
        at = ends.index(mark[2]) + 1
        event = event._replace(text="\n".join([event.text, *lines[:at]]))
        lines = lines[at:]
    elif _OPENS.search(event.text) and "\n" not in event.text.strip():
        at = next((n for n, line in enumerate(lines, start=1) if _CLOSES.match(line)), 0)
        event = event._replace(text="\n".join([event.text, *lines[:at]]))
        lines = lines[at:]
    end = next((n for n, line in enumerate(lines) if _NEXT.match(line)), len(lines))
    output = re.sub(r"^\s*Observation(?: \d+)?:[ \t]?", "", "\n".join(lines[:end]))
    return event if output == event.output else event._replace(output=output)


_SILENT = re.compile(  # prints nothing of files: a command that follows it is no output
    r"\s*(?:#|(?:cd|mkdir|export|set|umask|touch|sleep|rm|mv|cp|ln|chmod|chown|pushd|popd|source|"
    r"unset|ls|nproc|df|du|free|whoami|id|date|wc|pwd|uname|true|:|pkill|kill|chattr|truncate)"
    r"(?:\s|$)|sed -i|find [^\n]{1,200}-delete\s*$|\w{1,40}=\S*\s*$)"
)
_SHOWS = re.compile(  # and what may print commands, at any place of a line
    r"(?:^|[;&(]\s?)(?:cat|head|tail|less|more|bat|nl|sed (?!-i)|grep|awk|echo|printf|git|diff|"
    r"history|strings|python\d?|bash|sh|set -x)(?:\s|$)"
)
_GOES_ON = re.compile(r"(?:\\|&&|\|\||\|)\s*$")
_LATER_ONLY = frozenset(  # below a command they are no prose
    {"chattr", "pkill", "killall", "truncate", "shred", "unlink", "systemctl", "setfacl", "prlimit"}
)
MAX_LATER = 40  # lines of one command


def with_later_lines(event: Event) -> Event:
    r"""Give a command the commands on the lines after it, which a log of plain text shows below.

    They are told from an output by what stands before: what prints no file's content prints no
    commands.

    Examples
    --------
    >>> from detectors.trajectories.events import Event, EventKind
    >>> both = Event(EventKind.COMMAND, "# tidy", "a.log", 1, 1, output="rm -rf /x\ndone it")
    >>> with_later_lines(both).text
    '# tidy\nrm -rf /x'
    """
    if not event.output or "\n" in event.text.strip():
        return event
    lines, taken = event.output.split("\n")[:MAX_LATER], [event.text]
    for at, line in enumerate(lines):
        goes_on = _GOES_ON.search(taken[-1])
        is_next = _prints_none(taken[-1]) and (line.startswith("#") or _is_asked(line))
        if not (goes_on or is_next) or _NEXT.match(line):
            break
        taken.append(line)
        if mark := HEREDOC.search(line):
            rest = event.output.split("\n")[at + 1 :]
            end = next((n for n, x in enumerate(rest, start=1) if x.strip() == mark[2]), 0)
            taken += rest[:end]
            break
    return event._replace(text="\n".join(taken)) if len(taken) > 1 else event


def _prints_none(line: str) -> bool:
    """Say whether a line of commands, or a comment, prints nothing of a file."""
    if line.lstrip().startswith("#"):
        return True
    return bool(_SILENT.match(line)) and not _SHOWS.search(line)


def _is_asked(line: str) -> bool:
    """Say whether a line is a command with its words, and not a name in a list or a complaint."""
    first = line.split(" ", 1)[0]
    is_command = first in _LATER_ONLY or looks_like_command(line)
    return " " in line.strip() and not first.endswith(":") and is_command


def looks_like_command(text: str) -> bool:
    """Say whether a text is a command line rather than prose, by its first word.

    Examples
    --------
    >>> looks_like_command("cat /etc/hosts"), looks_like_command("Explain what /private is")
    (True, False)
    """
    words = [w for w in text.split() if w != "sudo" and not re.match(r"^\w+=", w)]
    if not words:
        return "=" in text
    first = words[0].strip("(\"'")
    return (
        first in _COMMANDS or first.startswith(("/", "./", "~/")) or first.endswith((".sh", ".py"))
    )


_COMMANDS = frozenset(
    re.findall(
        r"\S+",
        """ls cat head tail less more find locate grep egrep rg ag cp mv ln tar zip unzip gunzip
        gzip zcat 7z stat file wc awk sed cut sort uniq diff xxd od hexdump strings base64
        python python3 ipython pip pip3 conda bash sh zsh cd pwd env printenv set export source
        echo printf mount umount df du lsblk findmnt ps top kill id whoami uname hostname which
        whereis type curl wget git nvidia-smi free nproc lscpu mkdir touch rm chmod chown tree
        xargs tee test dd rsync scp ssh sqlite3 jq perl ruby node npm R Rscript julia timeout
        nohup time watch apt apt-get readlink realpath lsof strace nsenter unshare chroot docker
        kubectl debugfs losetup blkid fdisk getent openssl for while if gcloud aws az oci sbatch
        srun salloc helm kaggle huggingface-cli uv mamba apk dnf yum rocm-smi amd-smi gpustat
        jupyter torchrun mlebench mle-bench duckdb paste vastai runpodctl dstack doctl mpirun
        mpiexec deepspeed horovodrun accelerate hl-smi xpu-smi neuron-ls lspci dvc ollama rclone
        gsutil s5cmd aria2c scancel sacct qsub bsub psql mysql datalad zenodo_get gdown podman
        pwsh php nc ncat socat lynx w3m xh yt-dlp gh sshpass""",
    )
)
