"""Which Python calls ask the network, and for what: one table for all rules about it.

It and `shell_clients` call one another: Python runs commands, and commands run Python.
"""

from __future__ import annotations

import ast
import re
import shlex
from typing import TYPE_CHECKING, NamedTuple

from detectors.bounds import UNKNOWN
from detectors.call import TOO_MUCH
from detectors.rules.hosts import (
    MAX_TARGET,
    SOLUTION_WORDS,
    Contact,
    Purpose,
    addresses,
    as_address,
    contacts_at,
    is_near,
    names,
    purpose_of,
    read_by_sql,
)
from detectors.rules.llm_clients import asks_model, is_local_model, model_of, sends_prompt
from detectors.rules.named_calls import named_calls, unpacked
from detectors.rules.online_libraries import asked_service

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from detectors.rules.named_calls import Aliases, NamedCall
    from detectors.units import CodeUnit


class _Client(NamedTuple):
    """A row of the table of Python clients.

    Parameters
    ----------
    takes_address : bool
        What it is for is told by the address it is given.
    needs : str
        Keyword that has to be given and not false.
    """

    names: re.Pattern[str]
    purpose: Purpose = Purpose.PAGE
    takes_address: bool = False
    is_implicit: bool = False
    needs: str = ""


def _client(names: str, purpose: Purpose = Purpose.PAGE, **fields: bool | str) -> _Client:
    return _Client(re.compile(rf"(?:{names})$"), purpose, **fields)  # type: ignore[arg-type]


_VERBS = r"(?:get|post|put|head|request|stream|patch)"
_PYTHON = (
    _client(r"(?:httpx|aiohttp|requests_toolbelt)\.(?:\w+\.)*(?:(?:Async)?Client|ClientSession|"
            r"BaseUrlSession)", takes_address=True, is_implicit=True),
    _client(rf"(?:requests|httpx|urllib3|curl_cffi\.requests)\.{_VERBS}", takes_address=True),
    _client(r"(?:urllib\.request|urllib|urllib2|six\.moves\.urllib\.request)\."
            r"(?:urlopen|urlretrieve)", takes_address=True),
    _client(r"urlretrieve|urlopen|wget\.download|pycurl\.\w+|fsspec\.open|smart_open\.open|"
            r"tf\.keras\.utils\.get_file|(?:\w+\.)*utils\.get_file|(?:\w+\.)*get_file|"
            r"(?:\w+\.)*download_url|(?:\w+\.)*download_and_extract_archive|pooch\.retrieve|"
            r"cached_path\.cached_path", takes_address=True),
    _client(r"http\.client\.HTTPS?Connection|ftplib\.FTP(?:_TLS)?|"
            r"socket\.create_connection|socket\.socket\.connect(?:_ex)?|ssl\.(?:\w+\.)*\w+\.connect|"
            r"asyncio\.open_connection|telnetlib\.Telnet|paramiko\.SSHClient\.connect|"
            r"pysftp\.Connection|ftputil\.FTPHost|websockets?\.(?:connect|create_connection)",
            takes_address=True, is_implicit=True),
    _client(r"s3fs\.S3FileSystem|gcsfs\.GCSFileSystem|google\.cloud\.(?:storage|bigquery)\.Client"
            r"(?:\.create_anonymous_client)?",
            Purpose.DATA),
    _client(r"gdown\.(?:download|cached_download|download_folder)|google_drive_downloader\.\S+|"
            r"GoogleDriveDownloader\.download_file_from_google_drive", Purpose.DATA),
    _client(r"datasets\.(?:load\.)?(?:load_dataset|load_dataset_builder)", Purpose.DATA),
    _client(r"pooch\.create|mlcroissant\.Dataset", takes_address=True, is_implicit=True),
    _client(r"pyarrow\.fs\.(?:S3|Gcs|Hadoop)FileSystem|adlfs\.\w+|ossfs\.\w+", Purpose.DATA),
    _client(r"azure\.storage\.\w+\.\w+Client(?:\.from_\w+)?", Purpose.DATA),
    _client(r"kagglehub\.(?:load_dataset|dataset_list)|modelscope\.(?:\w+\.)*MsDataset\.load",
            Purpose.DATA),
    _client(r"huggingface_hub\.(?:\w+\.)?(?:hf_hub_download|snapshot_download|cached_download)|"
            r"hf_hub_download|snapshot_download", Purpose.WEIGHTS),
    _client(r"(?:tensorflow_datasets|tfds)\.(?:load|builder|data_source)", Purpose.DATA),
    _client(r"torch(?:vision|audio|text)\.datasets\.\w+", Purpose.DATA, needs="download"),
    _client(r"sklearn\.datasets\.fetch_\w+|fetch_(?:openml|20newsgroups\w*|california_housing|"
            r"covtype|kddcup99|lfw_\w+|olivetti_faces|rcv1)", Purpose.DATA),
    _client(r"(?:tensorflow\.|tf\.)?keras\.datasets\.\w+\.load_data", Purpose.DATA),
    _client(r"openml\.datasets\.get_datasets?|ucimlrepo\.fetch_ucirepo|seaborn\.load_dataset|"
            r"sns\.load_dataset|opendatasets\.download|od\.download|medmnist\.\w+|"
            r"fastai\S*untar_data|untar_data|kagglehub\.(?:dataset_download|dataset_load|"
            r"competition_download)|\S*\.(?:dataset_download_files?|competition_download_files?)",
            Purpose.DATA),
    _client(r"kagglehub\.(?:notebook_output_download|kernel\w*)|\S*\.(?:kernels_pull|kernels_output|"
            r"kernels_list)", Purpose.SOLUTIONS),
    _client(r"kagglehub\.model_download|torch\.hub\.(?:load_state_dict_from_url|"
            r"download_url_to_file)|load_state_dict_from_url|model_zoo\.load_url|"
            r"gensim\.downloader\.load|spacy\.cli\.download|urllib\.download_weights",
            Purpose.WEIGHTS),
    _client(r"(?:duckduckgo_search|ddgs)\.\w+|googlesearch\.search|tavily\.\w+|wikipedia\.page|"
            r"wikipedia\.search|\S*serpapi\.\w+", Purpose.PAGE),
    _client(r"(?:flair|stanza|spacy_transformers|open_clip|tabpfn|ultralytics|whisperx|pyannote)"
            r"\.(?:\w+\.)*(?:\w+Embeddings|\w+\.load|Pipeline|create_model_and_transforms|YOLO|"
            r"TabPFN\w+)|(?:\w+\.)*\w+\.from_preset", Purpose.WEIGHTS, is_implicit=True),
    _client(r"(?:segmentation_models_pytorch|segmentation_models|smp|sm)\.\w+", Purpose.WEIGHTS,
            is_implicit=True, needs="encoder_weights"),
    _client(r"(?:facenet_pytorch|gluoncv|pytorchcv|geffnet|torchxrayvision|efficientnet)\.\S+",
            Purpose.WEIGHTS, is_implicit=True, needs="pretrained"),
    _client(r"torch\.hub\.load|\w*\.?hub\.KerasLayer|\w*hub\.load|\S*\.from_pretrained|"
            r"SentenceTransformer|sentence_transformers\.\w+|nltk\.download|transformers\.pipeline|"
            r"whisper\.load_model|clip\.load|easyocr\.Reader", Purpose.WEIGHTS, is_implicit=True),
    _client(r"timm\.create_model|(?:torchvision\.)?models\.\w+(?:\.\w+)?|pretrainedmodels\.\S+",
            Purpose.WEIGHTS, is_implicit=True, needs="pretrained"),
    _client(r"(?:torchvision\.)?models\.\w+(?:\.\w+)?|(?:\w+\.)*applications\.\S+",
            Purpose.WEIGHTS, is_implicit=True, needs="weights"),
)  # fmt: skip
_READERS = re.compile(  # that take an address in the place of a path
    r"(?:^|\.)(?:read_(?:csv|json|html|excel|parquet|table|feather|pickle|xml|sas|stata|ndjson)|"
    r"scan_(?:csv|parquet|ndjson)|imread|loadtxt|genfromtxt|load_img|fromfile|DataFile|open|"
    r"goto|Request|SmartDL|RemoteZip|enqueue_file|add_uris|KerasLayer|GFile|open_dataset|open_mfdataset|open_zarr|read_file|ServerProxy|setopt|"
    r"open_input_file|read_image|decode_image|from_url|UPath|AnyPath|CloudPath|S3Path|\w*Transport|navigate|post|put|stream|parse|urlopen|"
    r"(?:a?get|download|fetch|load|retrieve|request|crawl|scrape|clone|pull|wget|curl|grab)"
    r"(?:_(?!path|domain|host|name|loc|id\b|ext)\w+)?)$|^\?\.$"
)
_STORES = re.compile(
    r"^(?:boto3|aioboto3)\.(?:\w+\.)*(?:client|resource)$|^fsspec\.(?:filesystem|get_filesystem_class)$"
)
_STORE = frozenset({"s3", "gs", "gcs", "s3a", "abfs", "az", "hf", "ftp", "sftp", "oss"})
_ONLINE = re.compile(
    r"\b(?:requests|urllib\w*|httpx|http\.client|aiohttp|sockets?|wget|curl|boto3?|fsspec|paramiko|"
    r"ftplib|pycurl|selenium|playwright|subprocess|os\.system|read_csv|download\w*)\b"
)
_KEPT = re.compile(  # what holds addresses as keys or values
    r"(?:^|[._])(?:cache|queue|memo|seen|lookup|mapping|registry|todo|visited|counts?|headers|q)$"
)
_NAMESPACE = re.compile(r"https?://(?:www\.w3\.org|xmlns\.com|purl\.org|schemas?\.[\w.]+)/")
_SENDS = re.compile(r"(?:^|\.)(?:post|request|Request|urlopen|send|sendall|putrequest)$")
_ASKS_SQL = re.compile(
    r"(?:^|\.)(?:sql|execute|query|read_sql\w*|from_query|read_parquet|read_csv|read_json|"
    r"from_parquet|from_csv_auto|sql_query|executescript)$"
)
_CONNECTS = re.compile(
    r"(?:^|\.)(?:create_engine|connect|read_sql\w*|read_database\w*|MongoClient)$"
)
_DATABASE = re.compile(
    r"\b(?P<kind>postgres(?:ql)?|mysql|mariadb|mssql|mongodb|redis|snowflake|clickhouse)(?:\+\w+)?://"
    r"(?:[^\s/@]*@)?(?P<host>[\w.-]+)"
)
_LOADERS = re.compile(
    r"(?:^|\.)(?:read_\w+|scan_\w+|open|open_\w+|File|load|load_\w+|query|sql|execute|joinpath|"
    r"fetch_\w+|imread|listdir|glob|iglob|rglob|walk|"
    r"scandir|ImageFolder|flow_from_directory|image_dataset_from_directory|unpack_archive|ZipFile|"
    r"copytree|DataFile|loadtxt|genfromtxt|get_dataset|get_data|from_folder|strip_headers|loadmat|"
    r"loadarff|iterdir|fwalk|memmap|fromfile|DatasetFolder|extract_archive|TextLineDataset|TarFile|"
    r"TFRecordDataset|CsvDataset|list_files|from_(?:csv|parquet|json|pickle)|symlink_to|hardlink_to)$|"
    r"^shutil\.(?:copy\w*|move)$|^os\.(?:symlink|link|rename|replace|stat)$|^(?:sqlite3|duckdb)\.connect$|"
    r"(?:^|\.)datasets\.\w+(?:\.\w+)*$|^(?:soundfile|sf|wavfile|tables|pyreadr|pyreadstat)\.\w+$|^babel\."
)
_WRITES = re.compile(r"(?:^|\.)(?:to_\w+|makedirs|mkdir|save|savez|dump|write_text|imwrite|touch)$")
_CONNECTIONS = re.compile(
    r"(?:Connection|FTP|FTP_TLS|FTPHost|Telnet|create_connection|open_connection|"
    r"(?:socket\.socket|ssl\.(?:\w+\.)*\w+|SSHClient)\.connect(?:_ex)?)$"
)
_MODEL_FILES = re.compile(r"\.(?:pth?|onnx|ckpt|joblib|cbm|keras|safetensors)$")
_BUILDERS = names(
    """csv json parquet text imagefolder audiofolder pandas arrow webdataset xml sql
    videofolder generator"""
)
_SHELL_CALL = re.compile(
    r"(?:^|\.)(?:system|popen|run|call|check_call|check_output|Popen|getoutput|getstatusoutput|"
    r"execute|bash|sh|cmd|shell|create_subprocess_shell|create_subprocess_exec|spawn\w*|exec[lv]\w*|"
    r"run_cell_magic|run_line_magic)$"
)
_LOCAL = re.compile(
    rf"^(?:[./~$]|[A-Za-z]:\\|{UNKNOWN}|(?:ckpts?|checkpoints?|outputs?|out|runs|artifacts|saved\w*)/)"
)


class Found(NamedTuple):
    """A contact with its place in a unit; lines count in the file."""

    unit: CodeUnit
    first_line: int
    last_line: int
    contact: Contact


def python_contacts(
    units: Sequence[CodeUnit],
    competition: str = "",
    known: Aliases | None = None,
    unfinished: list[str] | None = None,
    *,
    with_files: bool = False,
) -> Iterator[Found]:
    """Yield what Python code asks of the network, in the order of its calls.

    Parameters
    ----------
    units : sequence of CodeUnit
        Those of other languages are left out.
    known : dict or None
        Names imported before, of a log whose steps share one interpreter; it is added to.
    unfinished : list or None
        Takes the paths of units that are too large to be followed to their end.
    with_files : bool
        Yield what is loaded from packages and read from files, too.
    """
    nodes = list(named_calls([*units, *unpacked(units)], known))
    if unfinished is not None:
        unfinished += [n.unit.path for n in nodes if n.name == TOO_MUCH]
    written = (
        {s for n in nodes if _WRITES.search(n.name) for s in n.strings} if with_files else set()
    )
    local = {n.unit.module for n in nodes if is_local_model(n)}
    for node in nodes:
        is_fake = node.name.startswith(("unittest.mock.", "mock."))
        is_local = node.unit.module in local
        found = [] if is_fake else list(_contacts(node, competition, is_local, with_files))
        if with_files and not found:
            found = list(_of_files(node, written))
        for contact in dict.fromkeys(found):
            yield Found(node.unit, node.first_line, node.last_line, contact)


def _contacts(
    node: NamedCall,
    competition: str,
    is_local: bool,  # noqa: FBT001
    with_files: bool,  # noqa: FBT001
) -> Iterator[Contact]:
    if of_database := list(_of_database(node, competition)):
        yield from of_database
        return
    command = _command_of(node) if is_local or not asks_model(node) else ""
    if command:
        from detectors.rules.shell_clients import shell_contacts

        yield from (contact for _, contact in shell_contacts(command, competition, with_files))
        return
    if asks_model(node) and not is_local:
        yield Contact(Purpose.LLM, node.name, model_of(node))
        return
    is_request = bool(_SENDS.search(node.name))
    away = [purpose_of(a, competition) for a in _addresses_of(node)] if is_request else []
    if is_request and not is_local and {*away} <= {Purpose.PAGE} and sends_prompt(node):
        yield Contact(Purpose.LLM, node.name, model_of(node))
        return
    if _STORES.search(node.name) and _STORE & set(node.strings[:2]):
        yield Contact(Purpose.DATA, node.name, next(s for s in node.strings if s in _STORE))
        return
    row = next(
        (c for c in _PYTHON if c.names.match(node.name.removeprefix("?.")) and _is_given(c, node)),
        None,
    )
    if row is not None:
        yield from _of_client(row, node, competition)
        return
    yield from _of_others(node, competition)


def _command_of(node: NamedCall) -> str:
    """Return the command of a shell, or of pip, that a call runs; else nothing."""
    if not node.strings:
        return ""
    if node.name.startswith("pip.") and node.name.endswith("main"):
        return shlex.join(["pip", *node.strings])
    if not _SHELL_CALL.search(node.name):
        return ""
    if node.name.endswith("_magic"):
        return "\n".join(node.strings[1:])
    return node.strings[0] if " " in node.strings[0].strip() else shlex.join(node.strings)


def _of_others(node: NamedCall, competition: str) -> Iterator[Contact]:
    """Yield what a call asks that is given an address, or that knows its service by itself."""
    service = asked_service(node.name)
    is_read = _READERS.search(node.name) and not _of_dict(node) and not _is_own(node)
    found = _addresses_of(node) if is_read else []
    for address in found:
        yield from contacts_at(node.name, address, competition)
    if service is not None and not found:
        target = next((s for s in node.strings if s.strip()), "")
        if not _stays_here(node, target):
            yield Contact(service, node.name, target[:MAX_TARGET])


def _is_own(node: NamedCall) -> bool:
    """Say whether the unit itself defines what is called, and nothing in it asks a network."""
    name = node.name.rpartition(".")[2]
    defined = rf"^\s*(?:async\s+)?def {re.escape(name)}\("
    is_defined = bool(name) and re.search(defined, node.unit.text, re.MULTILINE)
    return bool(is_defined) and not _ONLINE.search(node.unit.text)


def _of_dict(node: NamedCall) -> bool:
    """Say whether ``get`` is asked of a dictionary of the code, or for a key with a default."""
    on, _, name = node.name.rpartition(".")
    if name in {"get", "pop"} and not any(addresses(s) for s in node.strings[:1]):
        return True
    if name in {"get", "put", "load"} and _KEPT.search(on):
        return True
    made = r"\s*(?::[^=\n]+)?=\s*(?:\{|dict\(|json\.load|defaultdict\(|Counter\()"
    return name == "get" and bool(
        on.isidentifier() and re.search(rf"^\s*{on}{made}", node.unit.text, re.MULTILINE)
    )


def _of_database(node: NamedCall, competition: str) -> Iterator[Contact]:
    """Yield the tables that SQL reads from addresses, and databases on other hosts."""
    if _ASKS_SQL.search(node.name):
        for address in (a for text in node.strings for a in read_by_sql(text)):
            yield from contacts_at(node.name, address, competition)
    if _CONNECTS.search(node.name):
        for there in (t for text in node.strings for t in _DATABASE.finditer(text)):
            if not is_near(there["host"]):
                yield Contact(Purpose.DATA, node.name, f"{there['kind']}://…@{there['host']}")


def _of_files(node: NamedCall, written: set[str]) -> Iterator[Contact]:
    """Yield what a call reads from this machine; what the code wrote itself is its own."""
    if _LOADERS.search(node.name):
        paths = [s for s in node.strings if s not in written and not _MODEL_FILES.search(s)]
        if paths or not node.strings:
            told = paths[0] if paths else ""
            yield Contact(Purpose.FILES, node.name, told[:MAX_TARGET], more=" ".join(paths[1:4]))


def _is_given(row: _Client, node: NamedCall) -> bool:
    """Say whether the keyword a row needs is given and not false."""
    if not row.needs:
        return True
    value = node.keywords.get(row.needs)
    return value is not None and not (isinstance(value, ast.Constant) and not value.value)


def _of_client(row: _Client, node: NamedCall, competition: str) -> Iterator[Contact]:
    if row.takes_address:
        found = _addresses_of(node)
        for address in found:
            yield from contacts_at(node.name, address, competition)
        if not found and not row.is_implicit:
            yield Contact(Purpose.PAGE, node.name, "", is_implicit=True)
        return
    target = next((s for s in node.strings if s.strip()), "")
    if row.needs != "download" and _stays_here(node, target):  # that names where it goes
        return
    purpose = row.purpose
    kind = node.keywords.get("repo_type")
    if isinstance(kind, ast.Constant) and kind.value == "dataset":
        purpose = Purpose.DATA
    if purpose is Purpose.DATA and not target and row.needs == "":
        target = node.name.rpartition(".")[2]
    if purpose is Purpose.PAGE and SOLUTION_WORDS.search(" ".join(node.strings)):
        purpose = Purpose.SOLUTIONS
    told = node.name.rpartition(".")[2] if row.needs == "download" else target
    numbers = [f"{k} {n}" for k, v in node.keywords.items() if (n := _number_of(node, v))]
    numbers += [f"id {n}" for n in node.numbers]
    rest = " ".join([*(s for s in node.strings if s != target), *numbers])[:MAX_TARGET]
    yield Contact(purpose, node.name, told[:MAX_TARGET], row.is_implicit, rest)


def _number_of(node: NamedCall, value: ast.expr) -> str:
    """Return a whole number that a call is given, also by a name that the unit sets to it."""
    if isinstance(value, ast.Constant) and type(value.value) is int:
        return repr(value.value)
    if not isinstance(value, ast.Name):
        return ""
    sets = rf"^\s*{re.escape(value.id)}\s*(?::[^=\n]+)?=\s*(\d+)\s*(?:#.*)?$"
    found = re.findall(sets, node.unit.text, re.MULTILINE)
    return found[0] if len(found) == 1 else ""


def _stays_here(node: NamedCall, target: str) -> bool:
    """Say whether a call of a client reads files of this machine."""
    for option, value in (("local_files_only", True), ("source", "local")):
        given = node.keywords.get(option)
        if isinstance(given, ast.Constant) and given.value == value:
            return True
    if node.name.endswith("load_dataset") and (
        target in _BUILDERS or "data_files" in node.keywords
    ):
        return not any(addresses(s) for s in node.strings)
    if node.name.endswith("pipeline"):  # of a task and a model; what it made has its name
        target = next(iter(node.strings[1:2]), target)
    return bool(_LOCAL.match(target)) or (node.name.endswith("pipeline") and " " in target)


def _addresses_of(node: NamedCall) -> list[str]:
    """Return the addresses a call is given; connections are given the bare name of a host."""
    if _CONNECTIONS.search(node.name):
        return [found for s in node.strings[:1] if (found := as_address(s))]
    told = [a for s in node.strings[:4] for a in addresses(s) if s.lstrip().startswith(a[:8])]
    return [a for a in told if not _NAMESPACE.match(a)]
