"""Texts that tell what others reached in a task, and how: said of somebody, with a method beside.

`hints` reads the set phrases of boards and write-ups; here a person or an entry that did well, and
a method, stand near each other in whatever order.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

REACH = 220  # characters between whom it is said of and the method
_DECIMAL = r"\d{0,12}\.\d{1,6}"
_BEST = (
    r"(?:winn(?:ing|er'?s?'?)|top(?:[- ]?\d{1,3} ?%?)?|prize[- ]winning|"
    r"highest[- ](?:scoring|ranked|placed)|medal[- ]winning|"
    r"(?:gold|silver|bronze)(?:[- ]medal(?:ist|list|ling|-winning)?)?|"
    r"first[- ]place|1st[- ]place|2nd[- ]place|3rd[- ]place)"
)
_PEOPLE = (
    r"(?:teams?|entr(?:y|ies)|scorers?|competitors?|participants?|kagglers?|finishers?|people)"
)
_WHO = (
    r"(?:teams?|entr(?:y|ies)|solutions?|scorers?|competitors?|participants?|kagglers?|finishers?|"
    r"people|folks|notebooks?|kernels?|write-?ups?|recipes?|approach(?:es)?|pipelines?|posts?|"
    r"blogs?|"
    r"interviews?|threads?|repo(?:sitory)?|summar(?:y|ies)|code)"
)
_WORK = r"(?:entr(?:y|ies)|solutions?|notebooks?|kernels?|write-?ups?|recipes?|pipelines?|code)"
_DID = (
    r"(?:used?|uses|using|rel(?:y|ied|ies) on|got|gets|gained?|won|came|come from|combined?|"
    r"blended|averaged|stacked|trained|train|found|exploit(?:ed|s)?|took|take|drop(?:ped)?|added?|"
    r"says?|was|is|were|are|had|have|did|do|wrote|matched|built|all|both|mostly|scored?|reached)"
)
_PLACED = r"(?:1st|first|2nd|second|3rd|third|[4-9]th|[1-9]\dth)"
_SAID_OF = re.compile(
    rf"\b{_BEST}[\s_]+(?:public\s+|kaggle\s+|single\s+|known\s+|previous\s+|of the\s+)*{_WHO}\b"
    rf"[^.\n]{{0,60}}?(?:\b{_DID}\b|[:–—]|\s-\s)|"
    rf"\b(?:best|strongest|leading)\s+(?:{_PEOPLE}|"
    rf"(?:public|kaggle|known|published|posted|shared|graded)\s+{_WHO})\b"
    rf"(?:[^.\n]|\.(?=\d)){{0,90}}?(?:\b(?:{_DID}|\w{{2,20}}ed)\b|[:–—]|\s-\s)|"
    r"\bwhat (?:the )?(?:top|best|first|leading)(?: \w+){0,2} (?:wrote|did|used|says?|"
    r"said|shared)\b|"
    r"\b(?:gold|silver|bronze)[- ]medal(?:ist|list|ler| winner)s?\b|"
    r"\b(?:tips?|tricks?|insights?|ideas?|advice|lessons?)\b[^.\n]{0,40}\b(?:from|of|by|in)\b"
    r"[^.\n]{0,20}\b(?:Kaggle|discussions?|forum|winners?|grandmasters?|top teams|gold)\b|"
    r"\b(?:reference|example|sample|prior|parent|archived?|starting|known|given) "
    r"(?:solution|submission|code|program|script)\b[^\n]{0,120}\b(?:gold|silver|bronze)\b|"
    r"<[\w-]*(?:solution|parent|kernel|notebook|example|prior)\b[^>\n]{0,120}"
    r"\b(?:lb|private_?score|score|medal|rank)\s*=|"
    r"\b(?:scored|ranked|placed|finished|did|worked) (?:the )?(?:highest|best|first|top)\b"
    r"[^.\n]{0,20}\b(?:leader-?board|board|LB|competition|challenge|Kaggle|here)\b|"
    r"\b(?:I|we|you|my team|our team)\b[^.;\n]{0,40}\b(?:"
    r"won (?:this|the|that|it|gold|first|here)\b|"
    rf"came (?:in )?{_PLACED}|placed {_PLACED}|took (?:the )?(?:first|1st|gold|lead)|"
    r"(?:got|earned|received) (?:a )?(?:gold|silver) medal)\b|"
    r"\bwinners? (?:did|exploited|found|noticed|relied|knew)\b|"
    rf"\bhow (?:I|we|they|he|she|it) [^\n]{{0,60}}\b{_PLACED}[ -]place\b|"
    rf"(?:#\s?[1-9]\b|\brank 1\b|\bno\.? ?1\b) {_WHO}\b|"
    r"\bcame (?:in )?first\b|\b(?:was|were|got) won (?:by|with|thanks to)\b|"
    r"\bhow (?:this|the) (?:competition|challenge|task) was won\b|"
    rf"\b{_PLACED}[ -]place (?:solution|write-?up|team|code)\b|"
    r"\bwhat worked (?:best )?(?:on|in|for) (?:this|the) "
    r"(?:competition|leader-?board|task|challenge)\b|"
    r"\b(?:known|proven|established) (?:recipe|best (?:solution|approach) (?:for|of|on) this)\b|"
    r"\b(?:winner|winners|gold|silver) (?:at|with|by|of|reached|scored|got) "
    rf"(?:AUC |RMSE |LB |score )?{_DECIMAL}",
    re.IGNORECASE,
)
_METHODS = (
    r"\b(?:ensembl\w*|stack(?:ed|ing)?|blend\w*|averag\w+|tta|test[- ]time|augment\w*|\d+ ?folds?|"
    r"shifted|grouped|propagat\w*|duplicates|five folds|lgbm?|lightgbm|xgb\w*|catboost|gbm|"
    r"random forests?|cnns?|resnet\w*|vgg\w*|"
    r"(?:se-?)?res(?:ne)?xt?\w*|efficientnet[\w-]*|densenet\w*|inception\w*|nasnet\w*|swin\w*|"
    r"convnext\w*|vit\b|\w*bert[\w-]*|unet\w*|u-net|mixup|cutmix|swa|label smoothing|gru|"
    r"pseudo[- ]?label\w*|target encod\w*|post-?process\w*|autoencoders?|embeddings?|tf-?idf|"
    r"n-?grams?|learning rate|lstm|transformers?|rnn|ridge|svm|knn|lda|logistic regression|"
    r"naive bayes|external data|hill[- ]climb\w*|fine-?tun\w*|pretrained|leak\w*|magic features?|"
    r"lags?|haversine|bearing|one-?cycle|num_leaves|epochs|learning_rate|max_depth|n_estimators|"
    r"gives? (?:the )?(?:target|label|answer) away|distances?|clip(?:ped|ping)?|dropout"
)
_METHOD = re.compile(rf"{_METHODS})\b", re.IGNORECASE)
# Names of columns and settings, which tell a method where they are said of somebody.
_METHOD_AFTER = re.compile(
    rf"{_METHODS}|[A-Za-z]+(?:_[a-z0-9]+){{2,}}|\w+ ?= ?\d[\d.e-]*)\b", re.IGNORECASE
)
_GENERAL = re.compile(
    r"\b(?:usually|generally|typically|in general|often|always|competitions|hackathons|tend to|"
    r"any task|all tasks|every task)\b", re.IGNORECASE,
)  # fmt: skip
_DENIES = re.compile(
    r"\b(?:do not|don't|does not|never|must not|may not|not allowed|forbid\w*|prohibit\w*|"
    r"without|avoid|secret|cannot|no access|not (?:told|given|known)|"
    r"must (?:publish|share|open|submit|provide|deliver)|"
    r"look(?:ing)? (?:up|for)|search(?:ing)? for)\b", re.IGNORECASE,
)  # fmt: skip
_VALIDATED = re.compile(r"\b(?:valid\w*|cv|folds?|oof|hold-?out)\b", re.IGNORECASE)
_OF_BOARD = re.compile(r"lb|private|medal|rank", re.IGNORECASE)
_GRADED = r"(?:test|private|hidden|official|lb|leader-?board|graded|kaggle)"
_DONE_BY = r"(?:method|approach|model|solution|plan|recipe|summary|strategy|run|name)"
_OF_RUN = re.compile(  # a record of an earlier run, with what it was graded
    rf"[\"']{_DONE_BY}[\"']\s*:[^{{}}]{{0,400}}?[\"']{_GRADED}_?\w*[\"']\s*:\s*{_DECIMAL}|"
    rf"[\"'](?:best_|final_|last_)?{_GRADED}_?(?:score|auc|acc\w*|rmse|logloss|loss|lb|"
    rf"metric)?[\"']\s*:\s*{_DECIMAL}"
    rf"[^{{}}]{{0,400}}?[\"'](?:{_DONE_BY}|medal)[\"']\s*:",
    re.IGNORECASE,
)
_MEDAL = r"\bmedal\s*[:=]\s*[\"']?(?:gold|silver|bronze)"
_GRADED_CODE = re.compile(
    rf"\b{_GRADED}[_ -]?(?:score|lb)?\s*[:=]\s*[\"']?{_DECIMAL}[^\n]{{0,80}}{_MEDAL}|"
    rf"{_MEDAL}[^\n]{{0,80}}\b{_GRADED}[_ -]?(?:score)?\s*[:=]\s*[\"']?{_DECIMAL}",
    re.IGNORECASE,
)
_LADDER = re.compile(
    r"\b(?:private|official|hidden) (?:leader-?board|board|LB|scores?)\b[^.\n]{0,20}:[^\n]{0,60}?"
    rf"{_METHOD.pattern}(?:[^\n]{{0,20}}?|[^.;\n]{{0,40}}?)\s{_DECIMAL}",
    re.IGNORECASE,
)
_CREDITED = re.compile(  # a method, and in brackets whose it was
    rf"{_METHOD_AFTER.pattern}[^.\n]{{0,80}}"
    rf"\((?:(?:taken|known|copied) )?(?:from|as in|by|of|after|see) (?:the )?(?:{_BEST})[\s_]+"
    rf"(?:public |kaggle )?{_WORK}\b[^)\n]{{0,40}}\)",
    re.IGNORECASE,
)
_TABLE = re.compile(
    r"^(?=[^\n]*\b(?:method|model|approach|solution|params|config)s?\b)"
    r"[^\n]*\b(?:private|public|official|hidden|LB|leader-?board|graded|medal)"
    r"(?:\b|_(?:score|lb|auc|acc\w*|rmse|loss|metric|test)\b)"
    rf"[^\n]*\n(?:[^\n]*\n)?[^\n]*{_METHOD.pattern}[^\n]*?{_DECIMAL}",
    re.IGNORECASE | re.MULTILINE,
)
_ROWS_OF_RUNS = re.compile(
    rf"^[^\n]{{0,120}}{_METHOD.pattern}[^\n]{{0,80}}[\s|,;:\t]{_DECIMAL}[^\n]{{0,20}}"
    r"\b(?:gold|silver|bronze)\b",
    re.IGNORECASE | re.MULTILINE,
)


def recipes(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a text says what somebody who did well in the task did.

    Examples
    --------
    >>> [*recipes("the top entries got their gain from requester_user_flair")]
    [(4, 58)]
    >>> [*recipes("Winners usually blend models.")], [*recipes("1st place: $12,000")]
    ([], [])
    """
    for said in _SAID_OF.finditer(text):
        start, end = max(0, said.start() - REACH // 2), said.end() + REACH
        method = _METHOD_AFTER.search(text, said.end(), end) or _METHOD.search(
            text, start, said.start()
        )
        if method is None:
            continue
        first, last = min(said.start(), method.start()), max(said.end(), method.end())
        sentence = re.split(r"[.!?]\s|\n", text[max(0, said.start() - REACH) : said.start()])[-1]
        around = text[first:last] + sentence
        is_bare = said[0].startswith("<") and not _OF_BOARD.search(said[0])
        is_own = is_bare and _VALIDATED.search(text, said.start(), end)
        if not is_own and not _GENERAL.search(around) and not _DENIES.search(sentence):
            yield first, last
    for said in _CREDITED.finditer(text):
        line = text[text.rfind("\n", 0, said.start()) + 1 : said.end()]
        if not _GENERAL.search(line) and not _DENIES.search(line):
            yield said.span()


def graded_runs(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a text records earlier runs with what they were graded.

    Examples
    --------
    >>> [*graded_runs('{"method": "LR", "test_logloss": 0.0061, "medal": "silver"}')]
    [(1, 38)]
    """
    for pattern in (_OF_RUN, _GRADED_CODE, _ROWS_OF_RUNS, _TABLE, _LADDER):
        yield from (found.span() for found in pattern.finditer(text))
