"""Every error mle-audit raises on purpose, in one tree.

::

    MleAuditError                       exit 3: the audit could not be done
    ├── UsageError                      exit 2: the words of the call, or a definition, are wrong
    │   ├── UnknownNameError            no competition, agent, detector or finding has this name
    │   ├── InvalidDefinitionError      a task's YAML, an agent's YAML or a policy breaks its model
    │   └── RefusedError                the call would overwrite or lose something
    ├── DataError
    │   ├── RawDataError                raw files missing, truncated or of another schema
    │   ├── DigestMismatchError         a file is not the one that was pinned
    │   ├── NotPreparedError            the task has no prepared data here
    │   ├── UnreadableFileError         a file exists but cannot be read as what it should be
    │   ├── CorpusError                 a corpus is missing, broken or of another version
    │   ├── ChecksumsError              data are not those of MLE-bench's checksums.yaml
    │   ├── DiskFullError               the disk has no room for what must be written
    │   ├── MissingLibraryError         a task's files need a library that is not installed
    │   ├── TextError                   a text cannot be scored: empty, binary, too long
    │   ├── ArchiveError                an archive is broken, or is none
    │   │   └── UnsafeArchiveError      unpacking it could write outside its folder or fill the disk
    │   └── SourceError                 raw files could not be had from Kaggle
    │       ├── ClientMissingError      Kaggle's client is not installed
    │       ├── CredentialsMissingError no API token or key was found
    │       ├── CredentialsExposedError others can read the file with the key
    │       ├── CredentialsRefusedError Kaggle does not take the token or key
    │       ├── RulesNotAcceptedError   the account has not accepted the competition's rules
    │       ├── NoSuchDownloadError     Kaggle knows no such competition
    │       ├── RateLimitedError        Kaggle asks to come back later
    │       ├── ServerFaultError        Kaggle failed or did not answer in time
    │       ├── NoConnectionError       Kaggle could not be reached
    │       └── DownloadInterruptedError  the connection broke in the middle; the part is kept
    ├── InvalidSubmissionError          the submission breaks the task's rules; holds every problem
    ├── RunError
    │   ├── SandboxUnavailableError     the sandbox asked for cannot work on this machine
    │   └── InterpreterError            the agent's own interpreter could not be built
    ├── ModelError                      a language model cannot be asked
    │   ├── ModelFilesError             its files are missing, broken or of a kind that is not read
    │   ├── ModelTooLargeError          it does not fit in memory; said before it is loaded
    │   ├── ModelServerError            its server cannot be asked for what a prompt's tokens have
    │   └── ScoringError                it gives no usable numbers for a text
    ├── EvidenceUnavailableError        a detector could not look; becomes a `not_available` check
    │   └── NotApplicableError          looking showed that its question makes no sense there
    ├── DocumentError                   an audit document that this version cannot read
    └── SignatureError                  a document could not be signed, or a signature not read

Few places catch broadly: ``audit.check`` (a crashed detector becomes a `failed` check),
``competitions.grade`` (a crashed metric becomes a `grader_error`), ``audit.doctor`` (a crashed
probe becomes a row `unknown`) and ``audit.cli.main`` (exit 70).
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class MleAuditError(Exception):
    """Root of all errors; its text says what was expected, what was found and where.

    Parameters
    ----------
    problem : str
        One sentence: expected, found, where.
    remedy : str or None
        What helps, usually a command that exists.
    """

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 3

    def __init__(self, problem: str, remedy: str | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.problem}\n  {self.remedy}" if self.remedy else self.problem


class UsageError(MleAuditError):
    """The call itself is wrong: an option, a path or a combination of them."""

    code = "usage"
    exit_code = 2


def near_names(name: str, known: Iterable[str]) -> list[str]:
    """List up to three known names that resemble `name`: shared prefixes first, then spelling.

    Examples
    --------
    >>> near_names("us-patnt", ["us-patent-phrase-to-phrase-matching", "spaceship-titanic"])
    ['us-patent-phrase-to-phrase-matching']
    """
    pool = sorted(known)
    prefix = [k for k in pool if k.startswith(name[:5])] if name else []
    close = get_close_matches(name, pool, n=3)
    return list(dict.fromkeys([*prefix, *close]))[:3]


class UnknownNameError(UsageError):
    """No competition, agent, detector or finding is called this.

    Parameters
    ----------
    kind : str
        What was looked for: ``competition``, ``agent``, ``detector``, ``finding`` ...
    name : str
        The name that was given.
    known : iterable of str
        The names that exist.
    remedy : str or None
        The command that lists them.
    """

    code = "unknown-name"

    def __init__(
        self, kind: str, name: str, known: Iterable[str], remedy: str | None = None
    ) -> None:
        near = near_names(name, known)
        hint = f"Did you mean {', '.join(near)}? " if near else ""
        text = f"{hint}{remedy or ''}".strip() or None
        super().__init__(f"No {kind} is called {name!r}.", text)
        self.near = near


class InvalidDefinitionError(UsageError):
    """A task's YAML, an agent's YAML or a policy breaks its model.

    Parameters
    ----------
    path : Path
        The file.
    problems : iterable of str
        Every problem found, each naming its field.
    """

    code = "invalid-definition"

    def __init__(self, path: Path, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        listed = "\n  ".join(f"- {p}" for p in self.problems)
        super().__init__(f"{path} is not a valid definition:\n  {listed}")


class RefusedError(UsageError):
    """The call would overwrite or lose something that is not ours to lose."""

    code = "refused"


class DataError(MleAuditError):
    """Something is wrong with a task's files."""

    code = "data"


class RawDataError(DataError):
    """Raw files are missing, truncated or have another schema than the task's definition says."""

    code = "raw-data"


class DigestMismatchError(DataError):
    """A file's digest is not the pinned one.

    Parameters
    ----------
    algorithm : str
        ``sha256``; ``md5`` where MLE-bench pinned it.
    """

    code = "digest-mismatch"

    def __init__(
        self,
        path: Path,
        expected: str,
        found: str,
        remedy: str | None = None,
        algorithm: str = "sha256",
    ) -> None:
        super().__init__(f"{path}: expected {algorithm} {expected}, found {found}.", remedy)


class NotPreparedError(DataError):
    """The task has no prepared data in this data directory."""

    code = "not-prepared"


class UnreadableFileError(DataError):
    """A file exists but cannot be read as what it should be (broken CSV, JSON, encoding)."""

    code = "unreadable-file"


class CorpusError(DataError):
    """A corpus of public solutions is missing, broken, or was written by another version."""

    code = "corpus"


class ChecksumsError(DataError):
    """Prepared data are not those of MLE-bench's ``checksums.yaml``; holds every difference.

    Parameters
    ----------
    problems : iterable of str
        Every file that differs, is missing or is not listed.
    """

    code = "checksums"

    def __init__(self, folder: Path, problems: Iterable[str], remedy: str | None = None) -> None:
        self.problems = tuple(problems)
        listed = "\n  ".join(f"- {p}" for p in self.problems)
        super().__init__(f"{folder} is not what MLE-bench prepared:\n  {listed}", remedy)


class DiskFullError(DataError):
    """The disk has no room for what must be written there.

    Parameters
    ----------
    needed, free : str
        Sizes in words.
    """

    code = "disk-full"

    def __init__(self, folder: Path, needed: str, free: str, remedy: str) -> None:
        super().__init__(f"{folder}: {needed} needed, {free} free.", remedy)


class ArchiveError(DataError):
    """An archive is broken, encrypted, or no archive at all."""

    code = "archive"


class UnsafeArchiveError(ArchiveError):
    """Unpacking the archive could write outside its folder, make a link or fill the disk."""

    code = "unsafe-archive"


class MissingLibraryError(DataError):
    """A task's files need a library that is not installed.

    Parameters
    ----------
    library : str
        As pip knows it.
    what : str
        What cannot be done without it.
    extra : str, default=""
        The extra of mle-audit that brings it and what it is used with.
    """

    code = "missing-library"

    def __init__(self, library: str, what: str, extra: str = "") -> None:
        how = f"Install it with: pip install {library}"
        if extra:
            how = f"Install it, in a checkout: pip install -c constraints.txt '.[{extra}]'"
        super().__init__(f"{what}: the library {library} is not installed.", how)
        self.library = library


class TextError(DataError):
    """A text cannot be scored: it is empty, binary, too long, or not readable.

    Parameters
    ----------
    name : str
        What the text is called.
    """

    code = "text"

    def __init__(self, name: str, problem: str, remedy: str | None = None) -> None:
        super().__init__(f"{name}: {problem}.", remedy)


class SourceError(DataError):
    """Raw files could not be had from Kaggle; the classes below say why."""

    code = "kaggle"


class ClientMissingError(SourceError):
    """Kaggle's client (PyPI: ``kagglesdk``) is not installed, or not a version that works here."""

    code = "kaggle-client-missing"


class CredentialsMissingError(SourceError):
    """No API token or key of Kaggle was found where its client looks for one."""

    code = "kaggle-credentials-missing"


class CredentialsExposedError(SourceError):
    """Other users of this machine can read the file with Kaggle's token or key."""

    code = "kaggle-credentials-exposed"


class CredentialsRefusedError(SourceError):
    """Kaggle does not take the token or key (HTTP 401)."""

    code = "kaggle-credentials-refused"


class RulesNotAcceptedError(SourceError):
    """The account has not accepted the competition's rules, or may not see it (HTTP 403)."""

    code = "kaggle-rules"


class NoSuchDownloadError(SourceError):
    """Kaggle knows no such competition, or it has no files (HTTP 404)."""

    code = "kaggle-not-found"


class RateLimitedError(SourceError):
    """Kaggle asks to come back later (HTTP 429), and waiting a little did not help."""

    code = "kaggle-rate-limited"


class ServerFaultError(SourceError):
    """Kaggle failed (HTTP 5xx) or did not answer in time, several times in a row."""

    code = "kaggle-server"


class NoConnectionError(SourceError):
    """Kaggle could not be reached: no network, a refused connection, an unknown host."""

    code = "kaggle-no-connection"


class DownloadInterruptedError(SourceError):
    """The connection broke in the middle of a download, several times; the part is kept."""

    code = "kaggle-interrupted"


class InvalidSubmissionError(MleAuditError):
    """The submission breaks the task's rules; holds all problems, not just the first.

    Parameters
    ----------
    problems : iterable of str
        Every problem, each naming column and rows.
    """

    code = "invalid-submission"

    def __init__(self, problems: Iterable[str], remedy: str | None = None) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems), remedy)


class RunError(MleAuditError):
    """An attempt could not be started."""

    code = "run"


class SandboxUnavailableError(RunError):
    """The sandbox that was asked for cannot work on this machine."""

    code = "sandbox-unavailable"


class InterpreterError(RunError):
    """The agent's own interpreter could not be built."""

    code = "interpreter"


class ModelError(MleAuditError):
    """A language model cannot be asked about a text."""

    code = "model"


class ModelFilesError(ModelError):
    """A model's files are missing, broken, or of a kind that is not read."""

    code = "model-files"


class ModelTooLargeError(ModelError):
    """A model does not fit in the memory that is free; said before it is loaded.

    Parameters
    ----------
    needed, free : str
        Sizes in words.
    """

    code = "model-too-large"

    def __init__(self, name: str, needed: str, free: str, remedy: str) -> None:
        super().__init__(f"{name}: {needed} of memory needed, {free} free.", remedy)


class ModelServerError(ModelError):
    """A model's server cannot be reached or refuses, or gives no log-probabilities of prompts."""

    code = "model-server"


class ScoringError(ModelError):
    """A model gives no usable numbers for a text: NaN, or of another length than its tokens."""

    code = "scoring"


class EvidenceUnavailableError(MleAuditError):
    """A detector could not look at what it needs; the check becomes `not_available`.

    Parameters
    ----------
    missing : str
        What was missing: ``code``, ``logs``, ``submission``, ``data``, ``model``, ``engine`` ...
    problem : str
        Why, in a sentence.
    attempts : tuple of str
        Where it looked at many attempts: those whose part was missing. Empty means all.
    """

    code = "evidence-unavailable"

    def __init__(
        self,
        missing: str,
        problem: str,
        remedy: str | None = None,
        attempts: tuple[str, ...] = (),
    ) -> None:
        super().__init__(problem, remedy)
        self.missing = missing
        self.attempts = attempts


class NotApplicableError(EvidenceUnavailableError):
    """What a detector asks makes no sense of such data; the check becomes `not_applicable`.

    Parameters
    ----------
    problem : str
        Why, in a sentence.
    """

    code = "not-applicable"

    def __init__(self, problem: str, remedy: str | None = None) -> None:
        super().__init__("data", problem, remedy)


class DocumentError(MleAuditError):
    """An audit or grading document cannot be read by this version."""

    code = "document"


class SignatureError(MleAuditError):
    """A document could not be signed, or its signature not be looked at: no program, no key.

    A signature that is there and does not hold is no error: ``verify`` says so and ends with 1.
    """

    code = "signature"
