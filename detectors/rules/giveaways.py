"""Texts that weigh as a solution of the task: what others reached in it, beside how they did it.

`hints` and `recipes` read set phrases. Here each place in a contest, board score, and named method
or setting of a paragraph weighs something, in whatever order and words, and enough of them together
give a solution away.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
import zlib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

REACH = 320  # characters around a place that are weighed with it
ENOUGH = 4
MAX_METHODS = 3  # that count
MAX_CUES = 400  # places, and scores, of one text that are weighed
SPACE = 12  # characters from one to the next
NEAR = 30  # places and scores before and after one that may stand in its paragraph
MAX_UNPACKED = 20_000  # characters of one that is packed
MAX_ENCODED = 20  # tokens of one text that are decoded
MIN_PRINTABLE = 0.95
_SCORE = r"(?:0?[.]\d{3,6}|0,\d{3,6}|\d{1,4}\.\d{2,6})"
_NTH = r"(?:[1-9]\d{0,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth)"
_BEST = (
    rf"(?:winn(?:ing|er'?s?'?)|gold(?:[- ]medal(?:ist|list)?s?)?|silver[- ]medal(?:ist)?|"
    rf"top(?:[- ]?\d{{1,3}}(?: ?%)?)?|{_NTH}[- ](?:place|ranked|prize)|runner[- ]?up|"
    rf"prize[- ]winning|"
    r"best[- ](?:scoring|ranked|placed)|highest[- ](?:scoring|ranked|placed|voted))"
)
_THING = (
    r"(?:solutions?|teams?|notebooks?|kernels?|approach(?:es)?|entr(?:y|ies)|submissions?|"
    r"write-?ups?|"
    r"recipes?|methods?|models?|ensembles?|pipelines?|code|scripts?|posts?|competitors?|kagglers?|"
    r"participants?|repo(?:sitory)?)"
)
_PLACED = re.compile(  # somebody's place in a contest
    rf"\b{_BEST}(?:'s|’s)?\s+(?:\w+\s+){{0,2}}?{_THING}\b|"
    rf"\b{_THING} (?:of|by|from|that|which|who) (?:\w+ ){{0,3}}?"
    rf"(?:winners?|winning|won|{_NTH}[ -]place|(?:came|finished|placed) {_NTH})\b|"
    rf"\b(?:came|finished|placed|ended(?: up)?|landed|ranked|got (?:us|me) (?:to|into)|"
    rf"(?:put|brought|took|carried|lifted) (?:me|us|them|him|her|it) (?:\w+ )?(?:at|to|into|on|"
    rf"in))\s+"
    rf"(?:the\s+)?(?:in\s+)?(?:\w+ )?(?:#?\s?{_NTH}\b(?! of \d+ (?:tasks|steps|epochs|nodes|"
    rf"folds|files|runs))|"
    r"top \d+|place \d+|rank \d+|#\d+|(?:gold|silver|bronze)\b)|"
    r"\b(?:place|rank|position|Platz|puesto) #?\d{1,4}\b"
    r"(?=\s*(?:[.,;:)'\"”’|\]]|$|(?:on|in) (?:the|this|that)|of \d{3,}|\())|"
    r"\b\d{1,3}(?:st|nd|rd|th) (?:team|solution)\b|(?<!the )\btop[- ]?\d{1,2} ?%|"
    r"\b(?:insider|decisive|deciding|winning|crucial) (?:tips?|tricks?|insights?|features?|"
    r"ideas?|leaks?)\b|"
    r"\b(?:decided|won|cracked|solved) (?:this|the|that) (?:competition|contest|challenge|task)\b|"
    r"\b(?:gold|silver|bronze|medal|prize) (?:zone|range|area|region|level)\b|"
    rf"\b{_NTH} (?:of|out of|among) \d{{3,5}}\b|"
    rf"\b{_NTH} place\b|"
    r"\b(?:got|won|earned|took|reached|received|made|with) (?:a |us |me |him |her |them )*"
    r"(?:gold|silver|bronze)(?: medal)?\b|"
    r"\b(?:leaders?|podium|front-?runners?)(?:'s?|’s?)? (?:of (?:this|the)|in (?:this|the)|"
    r"on (?:this|the)|"
    r"did|used?|code|solutions?|notebooks?|kernels?)\b|\b(?:LB|leader-?board)[- ]leaders?\b|"
    r"\b(?:ganz )?oben (?:in|auf) (?:der|dem) (?:Rangliste|Bestenliste|Tafel|Leaderboard)|"
    r"\b\d+\. ?Platz\b|"
    r"\b(?:Platz|Rang) \d+\b|\ben t(?:ê|e)te du classement\b|\b\d+(?:e|ème|er|re) (?:place|"
    r"solution)\b|"
    r"\b(?:primer|segundo|tercer|1er|2º|3º) (?:lugar|puesto)\b|第[一二三\d]{1,6}名|\d{1,6}位|"
    r"冠军|优胜|"
    r"\b(?:what|that|which) won\b|[(,] ?(?:gold|silver|bronze)(?: medal)?[,)]|"
    r"\b(?:competition|kaggle|task)(?:'s|’s)? (?:code|discussions?|notebooks?|kernels?) (?:tab|"
    r"page|section|board|forum)\b|"
    r"\bbest (?:private|public|LB|leader-?board) (?:entr(?:y|ies)|solutions?|models?|notebooks?)\b|"
    r"\b(?:lb|leader-?board|private|public)[ _-]rank[ _#]*\d+\b|"
    rf"\btook (?:the )?{_NTH}\b|"
    r"\bwinners? (?:\w+ly )?(?:\w+ed|used|built|took|had|did|found|won|chose)\b|"
    r"\bway to (?:gold|silver|bronze|a medal|win|the top)\b|"
    rf"{_SCORE} (?:was|is|took|made|got) (?:the )?(?:first|1st|second|2nd|third|3rd|gold|silver|"
    rf"bronze|best|top)\b|"
    rf"\b[1-9]\d?(?:st|nd|rd|th) ?\(\s*{_SCORE}|"
    r"\b(?:notebook|kernel|solution|script)s?\b[^.\n]{0,40}\b(?:published|shared|posted|"
    r"made public)\b|"
    r"\b(?:published|shared|posted) (?:\w+ ){0,2}?(?:notebook|kernel|solution)s?\b|"
    r"\bwon (?:the|this|that|it|here)\b|\bwinners?(?:'s?)?\b(?=[^.\n]{0,24}[:(])|"
    r"\b(?:gold|silver|bronze)(?: medal)? (?:\w+ )?(?:solution|notebook|kernel|run|code)\b|"
    r"\b(?<!\d[.,])\d[\d.,]*k? (?:up-?)?votes\b|\bgrand-?masters?\b|"
    r"\bmedal[=|:]\s?[\"']?(?:gold|silver|bronze)",
    re.IGNORECASE,
)
_ON_BOARD = re.compile(  # a score, on a board or of people
    r"\b(?:(?:LB|leader-?board|board|standings)(?: score)?|(?:private|public|final|kaggle|"
    r"official)[ _-]score)\b"
    rf"[^\w\n]{{0,4}}(?:(?:of|is|was|at|around|about)\s)?~?{_SCORE}|"
    rf"{_SCORE}\+?\)?\s*(?:\w+\s)?(?:on|in|by|at) (?:the |this |that )?"
    r"(?:(?:private|public|final|kaggle|hidden|official|competition'?s?)\s)*(?:LB|leader-?board|"
    r"board|test)\b|"
    rf"{_SCORE}\)?\s?(?:(?:public |private )?LB|private)\b(?! key)|"
    rf"{_SCORE}[^\w\n]{{1,3}}(?:top(?!-[15]\b)|"
    rf"rank|place)\b|"
    rf"{_SCORE}[^\n.]{{0,30}}\b(?:graded|scored) by\b|"
    rf"{_SCORE}[^\n.]{{0,40}}[,;(] ?(?:gold|silver|bronze)\b|"
    rf"\b(?:private|public)\b[ :=]{{1,3}}{_SCORE}|\bLB\b[^\w\n]{{0,3}}{_SCORE}|"
    rf"\b(?:people|teams|those|everyone|everybody|anyone|all|kagglers|entries|"
    rf"competitors)\b[^.\n]{{0,30}}"
    rf"\b(?:reach\w*|scor\w*|above|over|below|under|beyond|got|broke)\b[^.\n]{{0,12}}{_SCORE}|"
    rf"{_SCORE}[^\w\n]{{1,3}}(?:auf|in|sur|dans|en|su|no|na|nel) (?:\w+ ){{0,3}}?"
    r"(?:Tafel|Rangliste|Bestenliste|Leaderboard|classement|tableau|tabla|clasificaci(?:ó|o)n|"
    r"classifica)\b|"
    rf"\b(?:privat\w*|privé\w*|privad\w*|öffentlich\w*)[^\n\d.]{{0,24}}{_SCORE}|(?:私榜|公榜|"
    rf"排行榜)\D{{0,12}}{_SCORE}|"
    rf"\b(?:rank|place|position) ?#?\d+[^\w\n]{{1,3}}{_SCORE}|"
    rf"\b{_NTH} place\W{{1,3}}{_SCORE}|\bofficial (?:\w+ ){{1,3}}{_SCORE}|"
    rf"\bbest known (?:score|result)\b[^\n.]{{0,12}}{_SCORE}|"
    rf"\b(?:put|placed|brought|got) (?:me|us|them) (?:at|to) {_SCORE}|"
    rf"\bgraded(?: at)?[^\w\n]{{0,3}}{_SCORE}",
    re.IGNORECASE,
)
_SHARED_SCORE = re.compile(
    rf"\bscored?[ =:(]{{1,3}}{_SCORE}|{_SCORE} (?:was|is) (?:reached|achieved|"
    rf"obtained)",
    re.IGNORECASE,
)  # of what others shared
_SHARED = re.compile(
    r"\b(?:titles?|authors?|notebooks?|kernels?|(?:up-?)?votes?|organi[sz]ers?|hosts?|"
    r"retrieved (?:knowledge|"
    r"notebooks?|cases?)|kaggle)\b",
    re.IGNORECASE,
)
_VALIDATED = re.compile(r"\b(?:valid\w*|cv|folds?|oof|hold-?out|cross[- ]?val\w*)\b", re.IGNORECASE)
_OF_CONTEST = re.compile(
    r"\b(?:kaggle|kernels?|discussions?|discussion (?:board|forum)|write-?ups?|"
    r"\d+ (?:up-?)?votes?|(?:this|the|that) (?:\w+ )?(?:competition|contest|challenge)|"
    r"leader-?board|lb|"
    r"rangliste|bestenliste|wettbewerb|classement|concours|competici(?:ó|o)n|竞赛|比赛|graded|"
    r"mle-?bench|gold|silver|bronze)\b",
    re.IGNORECASE,
)
_METHOD = re.compile(
    r"\b(?:light-?gbm\w*|lgbm?\w*|xgb\w*|catboost\w*|hist_?gradient\w*|gradient boosting|"
    r"random ?forest\w*|"
    r"extra ?trees|ridge\w*|lasso|svms?|svc|svr|knn|naive bayes|nb-?svm|logistic ?regression\w*|"
    r"tabnet|"
    r"mlps?|"
    r"ft-?transformer|imagenet|drop-?out|smooth-?l1|nb-(?:char|word)\w*|oof|naive-?bayes|"
    r"embeddings?|"
    r"\d+ (?:falten|folds|plis)|f(?:ü|u)nf falten|crawl|gem\b|lstms?|bi-?lstms?|grus?|bi-?grus?|"
    r"transformers?|wavenet|rnns?|cnns?|"
    r"(?:se-?)?res(?:ne)?[sx]?t[\w-]*|resnest\w*|efficientnet[\w-]*|effnet\w*|densenet\w*|"
    r"inception\w*|"
    r"xception\w*|vgg\w*|nasnet\w*|mobilenet\w*|convnext\w*|swin\w*|vit\b[\w-]*|u-?net\w*|yolo\w*|"
    r"faster[ -]?rcnn|dpn\d+|senet\d*|\w*bert[\w-]*|bart|t5|longformer|fasttext|glove|word2vec|"
    r"tf-?idf|"
    r"(?:char|word)(?:acters?)? \d-\d|n-?grams?|arcface|gem pooling|mix-?up|cut-?mix|"
    r"label smoothing|soft labels?|pseudo[- ]?label\w*|tta|test[- ]time|target[- ]encod\w*|"
    r"adversarial|"
    r"back-?translat\w*|hill[- ]climb\w*|rank averag\w*|weighted average|geometric mean|"
    r"knowledge distill\w*|distill\w*|"
    r"external data|two[- ]stage|\d+[- ]folds?|\d+ seeds?|seeds? averag\w*|majority vote|"
    r"freez\w*|unfreez\w*|"
    r"fine-?tun\w*|pre-?train\w*|swa|ema|focal loss|dice loss|lovasz|cosine|one-?cycle|adamw?|"
    r"progressive resiz\w*|\d+ ?(?:x ?\d+ )?(?:px|pixels)|(?:lr|learning[ _]rate)[ =:]+\d[\d.e-]*|"
    r"(?:max_?)?depth[ =:]+\d+|num_leaves[ =:]+\d+|iterations[ =:]+\d+|l2[ =:]+\d|clip(?:ped|"
    r"ping)?|"
    r"\d+ epochs?|log1p|denois\w*|autoencoders?|crop(?:ped|ping)?|augment\w*|stack(?:ed|ing)?|"
    r"blend(?:ed|ing|s)?|(?:group|lag|magic|leak\w*) features?|impute[sd]?|imputation|"
    r"propagat\w*|shares? the (?:same )?(?:label|target)|shift(?:ed|ing)|duplicates?|row order|"
    r"haversine|median filter|threshold\w*|post-?process\w*)\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"```|^[^\S\n]*(?:import|from) \w|\w\.fit\(|\w = \w+\(", re.MULTILINE)
_PROGRAM = re.compile(
    r"```(?:python|py|r)\b|\.fit\(|^\s*(?:import|from) \w+", re.IGNORECASE | re.MULTILINE
)
_GENERIC = re.compile(
    r"stack\w*|blend\w*|augment\w*|ensembl\w*|crop\w*|threshold\w*|clip\w*|impute\w*|imputation|"
    r"\d+[- ]folds?|\d+ epochs?|\d+ seeds?|\d+ ?(?:px|pixels)|duplicates?|shift\w*|"
    r"transformers?|post-?process\w*|freez\w*|adversarial|cosine|pre-?train\w*|fine-?tun\w*",
    re.IGNORECASE,
)
_IS_GENERAL = re.compile(
    r"\b(?:usually|generally|typically|in general|often|always|tend to|competitions|hackathons|"
    r"any task|all tasks|every task|"
    r"(?:in|by|of) (?:many|most|several) (?:winn\w+|top|tasks|problems)|most (?:tasks|problems)|"
    r"ha(?:s|ve) been used)\b",
    re.IGNORECASE,
)
_NOT_TOLD = re.compile(
    r"\b(?:do not|don't|does not|never|must not|may not|not allowed|forbid\w*|prohibit\w*|"
    r"disallow\w*|"
    r"without|avoid|cannot|no access|must (?:publish|share|open|submit|provide|deliver|describe)|"
    r"not (?:use|copy|rely|look)|no (?:public|published|winning|shared|other)|required to|"
    r"licen[cs]e|disqualif\w*|"
    r"look(?:ing)? (?:up|for)|search(?:ing)? for)\b|[$€£]\s?\d|\bprizes?\b(?! winning)",
    re.IGNORECASE,
)
_AIMS = re.compile(  # what is wished for, or how a board works
    r"\b(?:aim\w*|goal|target score|try to|want(?:s|ed)?|hope|should (?:reach|get|win|beat)|"
    r"will (?:be|get|receive)|would (?:be|get|reach|give)|"
    r"could|compet(?:e|ing)|earns?|awards?|awarded|receives?|qualif\w+|needs?|required|calculated|"
    r"compared|if you|beat|must)\b",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?<![\w.])(?:0?\.\d{4,6}|0,\d{4,6})(?!\d)")
_OWN = re.compile(
    r"\b(?:you are (?:a|an|the)|act as|(?:think|act|work|behave|reason) (?:as|like) an?|"
    r"your (?:\w+ ){0,2}(?:nodes?|submissions?|scores?|models?|"
    r"runs?|attempts?|solutions?|code)|"
    r"of my (?:own )?(?:\w+ )?(?:blends?|models?|ensembles?|candidates?|variants?|networks?|"
    r"folds?)|"
    r"node \d+|step \d+|iteration \d+|trial \d+|this run|same run|so far|earlier in this|in my|"
    r"previous (?:node|step|solution|attempt|code|iteration)|I (?:recall|remember|think|believe|"
    r"will|would (?:be|get|reach|give)|"
    r"should|could|can)|from memory|as far as I)\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:similar|other|another|different|related|unrelated|toy|past)\s+(?:\w+\s+){0,2}?"
    r"(?:tasks?|problems?|competitions?|contests?|challenges?|data ?sets?)\b",
    re.IGNORECASE,
)
_TO_WIN = re.compile(
    r"\b(?:gold|silver|bronze|medals?|winning|to win|first place)\b[^.:\n]{0,20}"
    r"\b(?:needs?|requires?|takes?)\b ?:[^\n]{0,200}",
    re.IGNORECASE,
)
_HANDED = re.compile(  # a file with what others reached or did, and where it lies
    r"(?P<path>(?:[`'\"(\s]|^)[~.\w-]*/(?!\S*(?:description|overview|submission|train|test)\b)"
    r"[\w./-]+\.\w{2,7})(?!:\d)[`'\")]*[^.\n]{0,24}?"
    r"\b(?:is|are|holds?|has|have|contains?|keeps?|lists?|shows?|gives?|with|from|:)[^.\n]{0,30}?"
    r"(?P<what>\b(?:final|private|public|official|full|complete|whole|"
    r"kaggle)[^.\n]{0,16}leader-?board|"
    rf"\b{_BEST} (?:\w+ ){{0,2}}{_THING}|\b(?:public|kaggle) (?:kernels?|notebooks?)|"
    rf"\bmedal thresholds?)|"
    rf"(?P<before>\b{_BEST} (?:\w+ ){{0,2}}?{_THING}|\b(?:final|private) leader-?board|"
    rf"\bmedal thresholds?)\b"
    r"[^.\n]{0,40}?\b(?:lies?|lie|is|are|in|under|at|saved|stored|found|attached|"
    r"here)\b[^.\n]{0,16}?"
    r"(?P<at>(?:[`'\"(\s])[~.\w-]*/[\w./-]+\.(?:py|ipynb|md|txt|csv|json|html|pdf|ya?ml|r|Rmd)\b)",
    re.IGNORECASE,
)
_ENCODED = re.compile(r"(?<![\w+/=.-])[A-Za-z0-9+/_-]{40,20000}={0,2}(?![\w+/=])")
_TURNED = re.compile(r"\brot-?_?13\b", re.IGNORECASE)
_PARAGRAPH = re.compile(r"\n\s*\n")


class Weighed(NamedTuple):
    """A stretch of a text and whether a place, a score or a hand-over gives it away."""

    start: int
    end: int
    by_place: bool


def giveaways(text: str) -> Iterator[Weighed]:
    """Yield stretches that tell what somebody reached in the task together with how.

    Examples
    --------
    >>> [*giveaways("What got us to 4th: CatBoost and a LightGBM on lags")] != []
    True
    >>> [*giveaways("Winning solutions on Kaggle usually blend LightGBM and CatBoost.")]
    []
    """
    places = [(c.start(), c.end(), True) for c in _spaced(_PLACED, text)]
    scores = [(c.start(), c.end(), False) for c in _spaced(_ON_BOARD, text)]
    scores += [
        (c.start(), c.end(), False) for c in _spaced(_SHARED_SCORE, text) if _is_shared(text, c)
    ]
    cues = sorted(c for c in (*places, *scores) if not _is_other(text, c[0], c[1]))
    for at, (start, end, by_place) in enumerate(cues):
        first, last = _around(text, start, end)
        kinds = {
            by_place,
            *(c[2] for c in cues[max(0, at - NEAR) : at + NEAR] if first <= c[0] < last),
        }
        stretch = text[first:last]
        methods = {m[0].lower() for m in _METHOD.finditer(stretch)}
        specific = sum(not _GENERIC.fullmatch(m) for m in methods)
        specific += not specific and bool(_PROGRAM.search(text, end, last))
        is_code = bool(_CODE.search(text, end, last))
        is_scored = _BARE.search(stretch) and not _VALIDATED.search(stretch)
        weight = (
            2.0 * len(kinds) + bool(is_scored) + bool(_OF_CONTEST.search(stretch)) + 2 * is_code
        )
        weight += min(specific, MAX_METHODS) + 0.5 * min(len(methods) - specific, MAX_METHODS)
        if (specific or len(methods) > 1) and weight >= ENOUGH:
            yield Weighed(start, end, by_place)


def _spaced(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield matches, not more than `MAX_CUES`, and of those that stand together the first."""
    last = -SPACE
    left = MAX_CUES
    for found in pattern.finditer(text):
        if left and found.start() - last >= SPACE:
            last, left = found.start(), left - 1
            yield found


def to_win(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a text lists the methods that a medal or a place takes.

    Examples
    --------
    >>> [*to_win("Gold needs: CatBoost, LightGBM and pseudo-labels.")]
    [(0, 49)]
    >>> [*to_win("A gold medal needs: one of the ten best places.")]
    []
    """
    for found in _TO_WIN.finditer(text):
        methods = {m[0].lower() for m in _METHOD.finditer(found[0])}
        specific = [m for m in methods if not _GENERIC.fullmatch(m)]
        if len(specific) > 1 and not _IS_GENERAL.search(found[0]):
            yield found.span()


def handed_over(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a text says which file holds a board, thresholds, or what others handed in.

    Examples
    --------
    >>> [*handed_over("/home/ref/lb.csv is the final private leaderboard")]
    [(0, 49)]
    """
    for found in _HANDED.finditer(text):
        if not _is_other(text, found.start(), found.end(), wishes=False):
            yield found.span()


def decoded(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield what a text holds in base64, hexadecimal digits or turned letters, and where."""
    for found in list(_ENCODED.finditer(text))[:MAX_ENCODED]:
        words = _plain_of(found[0])
        if words:
            yield found.start(), found.end(), words
    if _TURNED.search(text):
        yield 0, len(text), codecs.decode(text, "rot13")


def _plain_of(token: str) -> str:
    """Return the words that a token stands for; empty where it stands for none."""
    for decode in (bytes.fromhex, _from_base64, _unpacked):
        try:
            words = decode(token).decode()
        except (ValueError, binascii.Error, zlib.error):
            continue
        shown = sum(c.isprintable() or c.isspace() for c in words)
        if " " in words and shown >= MIN_PRINTABLE * len(words):
            return words
    return ""


def _from_base64(token: str) -> bytes:
    standard = token.replace("-", "+").replace("_", "/").rstrip("=")
    return base64.b64decode(standard + "=" * (-len(standard) % 4), validate=True)


def _unpacked(token: str) -> bytes:
    """Undo what zlib or gzip made of a text; bounded, for a short token may hold much."""
    return zlib.decompressobj(wbits=zlib.MAX_WBITS | 32).decompress(
        _from_base64(token), MAX_UNPACKED
    )


def _is_shared(text: str, score: re.Match[str]) -> bool:
    """Say whether a score is that of a notebook or a post, and no validation."""
    first, last = _around(text, score.start(), score.end())
    stretch = text[first:last]
    return bool(_SHARED.search(stretch)) and not _VALIDATED.search(stretch)


def _around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the paragraph of a place, as far as `REACH`; a heading takes the next one with it."""
    breaks = list(_PARAGRAPH.finditer(text, max(0, start - REACH), start))
    first = breaks[-1].end() if breaks else max(0, start - REACH)
    last = min(len(text), end + REACH)
    after = _PARAGRAPH.search(text, end, last)
    if after is None:
        return first, last
    head = text[text.rfind("\n", 0, start) + 1 : after.start()]
    if re.match(r"\s*#|[^\n]*:\s*$", head) and "\n" not in head.strip():
        following = _PARAGRAPH.search(text, after.end(), last)
        return first, following.start() if following else last
    return first, after.start()


def _is_other(text: str, start: int, end: int, *, wishes: bool = True) -> bool:
    """Say whether the sentence is about tasks in general, wishes, prizes, or the agent's own."""
    before = re.split(r"[.!?]\s|\n", text[max(0, start - REACH) : start])[-1]
    after = re.split(r"[.!?](?:\s|$)|\n|[:;]", text[end : end + REACH])[0]
    sentence = f"{before}{text[start:end]}{after}"
    if _ELSEWHERE.search(text, max(0, start - REACH), end):
        return True
    if wishes and _AIMS.search(sentence):
        return True
    return any(p.search(sentence) for p in (_IS_GENERAL, _NOT_TOLD, _OWN))
