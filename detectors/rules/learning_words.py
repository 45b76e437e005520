"""Words for what an answer to a submission tells: its score, or only whether its form is right."""

from __future__ import annotations

import re

MAX_OUTPUT = 4_000  # characters of an output that are looked at
MIN_SCORES = 2  # that came back with one command, so that it is more than one question

_METRIC = (
    r"(?:scores?|auc|roc_?auc|acc|accuracy|rmse|rmsle|mae|mse|medae|f1|f2|fbeta|log_?loss|loss|nll|"
    r"kappa|qwk|quadratic_weighted_kappa|mapk?|map@?\d*|dice|iou|jaccard|ndcg|mrr|reward|metrics?|r2|"
    r"corr|correlation|pearson|spearman|gini|mcc|precision|recall|error_rate|medal|any_medal|"
    r"gold_medal|rank|percentile|lb|public|private|grade|performance|points|value|fitness|bleu|rouge|wer)"
)
SCORE_KEY = re.compile(
    rf"^(?:\w+[_ -])?{_METRIC}(?:[_ -](?:score|value|mean|test|public|private|hidden|raw|\d+))*$",
    re.IGNORECASE,
)
_FORM_KEY = re.compile(
    r"valid|format|schema|column|missing|n_|num_|count|size|rows|code|time|id$", re.IGNORECASE
)
SCORE_SAID = re.compile(
    rf"[\"']?\b(?:\w+_)?{_METRIC}(?:_\w+)?[\"']?\s*(?:[:=]|is)\s*[\"']?-?(?:\d*\.\d+|[01]\b)",
    re.IGNORECASE,
)
TAKES_NUMBER = re.compile(
    r"\b(?:grep|rg|egrep)\s+[^|;\n]{0,30}-\w*[oP]\w*[^|;\n]{0,60}?(?:\\d|0-9|\[:digit:\])|"
    rf"\bjq\b[^|;\n]{{0,40}}\.\w*{_METRIC}\b|"
    rf"\b(?:sed|awk|gawk|perl|cut|tr)\b[^|\n]{{0,80}}(?:\b{_METRIC}\b|0-9|\\d)|"
    rf"\b(?:grep|rg)\b[^|;\n]{{0,40}}\b{_METRIC}\b|"
    rf"\[\\?[\"']{_METRIC}\\?[\"']\]|"
    r"\|\s*sort\s+(?:-\w*\s*\S*\s+)*-\w*[ngrk]|\|\s*bc\b|\bbc\s*(?:-l\s*)?<<<",
    re.IGNORECASE,
)
_OWN = re.compile(r"^[\"']?(?:cv|val|valid|oof|fold|train|local)_", re.IGNORECASE)
IS_FORM = re.compile(
    r"\bis[_ ]valid\b|\bvalid\b|\binvalid\b|\bok\b|success|status|passed|accepted|\berror\b|"
    r"too many|rate|429|503|wait|ready|healthy",
    re.IGNORECASE,
)


def is_score_key(key: str) -> bool:
    """Say whether a field of an answer holds how good the submission is.

    Examples
    --------
    >>> is_score_key("score"), is_score_key("quadratic_weighted_kappa"), is_score_key("log_loss")
    (True, True, True)
    >>> is_score_key("result"), is_score_key("valid"), is_score_key("n_missing")
    (False, False, False)
    """
    return bool(SCORE_KEY.match(key)) and not _FORM_KEY.search(key)


def scores_in(output: str, *, alone: bool = True) -> int:
    r"""Count the scores that came back.

    Parameters
    ----------
    alone : bool
        Nothing else was run: what other programs print beside an answer is theirs, so that only
        objects count.

    Examples
    --------
    >>> scores_in('1 {"accuracy": 0.3668}\n2 {"accuracy": 0.5657}')
    2
    >>> scores_in('{"result": "Submission is valid."}')
    0
    """
    said = output[:MAX_OUTPUT]
    parts = [said] if alone else re.findall(r"\{[^{}]*\}", said)
    return sum(1 for p in parts for one in SCORE_SAID.finditer(p) if not _OWN.search(one[0]))


def takes_score(code: str) -> bool:
    """Say whether text of the shell or of Python takes a score out of something.

    Examples
    --------
    >>> takes_score("json.loads(out[0])['score']"), takes_score("print(out)")
    (True, False)
    """
    return bool(TAKES_NUMBER.search(code) or re.search(r"\bfloat\(", code))
