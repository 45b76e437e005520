"""Which calls of R, Julia, JavaScript and the like ask the network, and which files they read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.other_calls import ASSIGNED, other_calls
from detectors.rules.data_packages import installed_by
from detectors.rules.hosts import MAX_TARGET, Contact, Purpose, addresses, contacts_at, names
from detectors.rules.llm_clients import HOSTED_MODEL
from detectors.shell import MAX_LINE
from reports.decoded import readings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.other_calls import OtherCall

_BY_THEMSELVES = re.compile(  # packages that know where to ask
    r"(?:^|\.)(?:getSymbols|tq_get|WDI|getOMLDataSet|getOMLTask|tt_load|get_acs|get_decennial|"
    r"gutenberg_download|entrez_(?:fetch|search)|ne_download|getbb|opq|geocode_OSM|get_eurostat|"
    r"fredr|Quandl|search_tweets|kgl_\w+)$|^(?:OpenML|MLDatasets)\.\w+$"
)
_ASKS = re.compile(
    r"(?:^|\.)(?:web(?:read|save)|urlread|download\w*|read\w*|read\.\w+|csv\w*|vroom|fread|GET|POST|PUT|get\w*|post|put|patch|fetch\w*|"
    r"curl\w*|url|URL|request\w*|Request|NewRequest\w*|Get|Post|PostForm|Do|Open|open|urlopen|"
    r"load_dataset|git_clone|source|axios|ajax|got|needle|superagent|file_get_contents|fopen|wget|"
    r"URI|uri|Uri|create|openStream|mirror|importFile|scan|copy|from|attach|http_\w+|scan_\w+|"
    r"HTTParty|Request\.\w+|connect|Client|clone|load\w*|system2?|run|exec\w*|file)$"
)
SAYS = re.compile(  # prints, compares, documents: is given a text and goes nowhere with it
    r"(?:^|\.)(?:cat|print\w*|message|msg|stop|warning|warn|log\w*|info|debug|error|puts|echo|die|say|"
    r"format|grepl?|grepl|sub|gsub|strsplit|split|str_\w+|starts?_?[wW]ith|ends?_?[wW]ith|expect\w*|"
    r"assert\w*|test_that|describe|it|labs|title|ggtitle|nchar|basename|dirname|Println|Printf|"
    r"Errorf?|Fatalf?|throw|raise|abort|croak|citation|comment|like|regexpr|match|test|includes|"
    r"indexOf|contains|replace|identical|setdiff|user_agent|alert|render|markdown|xmlns|[eE]xception)$"
)
_WRITES = re.compile(
    r"(?:^|\.)(?:write\w*|save\w*|fwrite|dir\.create|mkdir\w*|unlink|remove|rm\w*|to|csv2|writeLines|"
    r"touch|sink|png|pdf|ggsave|outfile|exists\w*|file\.exists|isfile|isdir|existsSync|Stat)$"
)
_VENDORS = re.compile(  # libraries of hosted models, as they are loaded
    r"(?:import|require|library|using|use|from|source)\b[^\n]{0,120}?(?:openai|OpenAI|anthropic|"
    r"@google/gen|@ai-sdk/|@mistralai|groq-sdk|cohere|ellmer|chatgpt|gptstudio|tidyllm|"
    r"PromptingTools|GoogleGenAI|langchain|replicate|together-ai|bedrock|generative-ai|chattr|"
    r"gemini\.R|\bmall\b|@huggingface/inference|hfhub_inference)|"
    r"\b(?:ellmer|openai|chatgpt|tidyllm|gptstudio|gemini\.R|mall|chattr)::|"
    r"^[^\S\n]*(?:\w+[^\S\n]*)?\"github\.com/(?:openai|sashabaranov|anthropics|google/generative)",
    re.MULTILINE,
)
_USES = re.compile(
    r"(?:^|\.)(?:completions\.(?:create|parse|stream)|responses\.create|messages\.(?:create|stream)|"
    r"embeddings\.create|create_?[cC]hat\w*|Create(?:Chat)?Completion\w*|CreateMessages?|"
    r"Completions\.New|Messages\.New|Responses\.New|create_(?:embedding|completion)s?|"
    r"generate(?:(?:Content|Text|Object)\w*)?|streamText|sendMessage\w*|chat_(?!history|log|data)\w+|"
    r"ask_?chatgpt|aigenerate|aiclassify|aiextract|aiembed|chat\.chat|invoke|InvokeModel|"
    r"ChatOpenAI|send_?prompt|llm_message|chat\.create|\w+\.chat|gemini(?:_\w+)?|create_chat|"
    r"llm_(?:classify|sentiment|extract|summarize|custom|translate|verify)|"
    r"(?:text|zeroShot|image|token)Classification|featureExtraction|chatCompletion\w*|textGeneration\w*|"
    r"imageToText|[Ee]mbedContent)$"
)
_NEAR = re.compile(r"localhost|127\.0\.0\.1|0\.0\.0\.0|ollama", re.IGNORECASE)
_PAYLOAD = names("messages prompt input contents")


def other_contacts(
    text: str,
    competition: str,
    suffix: str = "R",
    *,
    with_files: bool = False,
) -> Iterator[tuple[int, Contact]]:
    """Yield what a program of another language than Python asks for, with the line.

    Parameters
    ----------
    suffix : str
        Of its file, which tells the language.
    with_files : bool
        Tell which files and packaged tables it reads, too, as `Purpose.FILES`.
    """
    is_hosted = bool(_VENDORS.search(text)) and not _NEAR.search(text)
    found = other_calls(text, suffix)
    written = {s for call in found if _WRITES.search(call.name) for s in call.strings}
    yield from _decoded(text, competition)
    for call in found:
        if call.name == ASSIGNED or SAYS.search(call.name):
            continue
        asked = list(_asked(call, competition, is_hosted=is_hosted))
        if with_files and not asked and not _WRITES.search(call.name):
            told = [s for s in call.strings if s not in written and "\n" not in s]
            more = " ".join(told[1:4])[:MAX_TARGET]
            asked = [Contact(Purpose.FILES, call.name, t[:MAX_TARGET], more=more) for t in told[:1]]
        yield from ((call.first_line, contact) for contact in dict.fromkeys(asked))


def _decoded(text: str, competition: str) -> Iterator[tuple[int, Contact]]:
    """Yield hosted models whose address stands encoded in a program."""
    for number, line in enumerate(text.split("\n"), start=1):
        for reading in readings(line[:MAX_LINE]):
            for address in addresses(reading.plain)[:1]:
                contacts = contacts_at("the program", address, competition)
                yield from ((number, c) for c in contacts if c.purpose is Purpose.LLM)


def _asked(call: OtherCall, competition: str, *, is_hosted: bool) -> Iterator[Contact]:
    if _BY_THEMSELVES.search(call.name):
        yield Contact(Purpose.DATA, call.name, "")
    yield from installed_by(call.name, call.strings)
    given = [a for s in call.strings for a in addresses(s)[:1] if s.lstrip().startswith(a[:8])]
    for address in given:
        for contact in contacts_at(call.name, address, competition):
            if contact.purpose is Purpose.LLM or _ASKS.search(call.name):
                yield contact
    model = next((s for s in call.strings if HOSTED_MODEL.match(s)), "")
    sends = bool(model) and "model" in call.keys and bool(_PAYLOAD & call.keys)
    if not given and (
        (is_hosted and _USES.search(call.name)) or (sends and _ASKS.search(call.name))
    ):
        yield Contact(Purpose.LLM, call.name, model)
