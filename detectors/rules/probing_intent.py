"""What says that a question is there to be told hidden answers, and what is told."""

from __future__ import annotations

import re

_LEARNS = (
    r"(?:reveal|show|tell|leak|expos|print|give|dump|learn|read off|infer|deduce|find out|work out|"
    r"reconstruct|recover|decode|guess|extract|see|know|fish|determine|identif)\w*"
)
_SECRETS = (
    r"(?:(?:hidden|secret|private|true|actual|real|test|correct|held[- ]?out)[- ](?:set )?"
    r"(?:labels?|answers?|class(?:es)?|targets?|values?|scores?|ids?|mean|prevalence)|"
    r"\bthe (?:hidden |test )?answers?\b|answer (?:key|file|frame|sheet|csv)|ground[- ]truth|"
    r"which (?:rows|ids|of the (?:rows|ids)) (?:count|are (?:scored|graded|used|in))|"
    r"scored (?:rows|ids)|"
    r"whether (?:it|they|these|this|the row|the image)\b[^.\n]{0,20}\b(?:is|are)\b|"
    r"share (?:of|in) [^.\n]{0,30}(?:class|hidden|test|labels))"
)
_JUDGE = (
    r"(?:grader|validator|server|checker|endpoint|oracle|exceptions?|error (?:text|message)s?|"
    r"tracebacks?|repl(?:y|ies)|messages?|score|accuracy|auc|loss|rmse|validation)"
)
_INTENT = re.compile(
    rf"\b{_JUDGE}\b[^.!?\n]{{0,120}}?\b{_LEARNS}\b[^.!?\n]{{0,80}}?{_SECRETS}|"
    rf"\b{_LEARNS}\b[^.!?\n]{{0,80}}?{_SECRETS}[^.!?\n]{{0,100}}?\b{_JUDGE}\b|"
    r"(?<!validation )(?<!val )(?<!cv )\b(?:score|accuracy|auc|loss|rmse|metric)\b[^.!?\n]{0,60}"
    r"\b(?:tells|reveals|shows|gives|says)\b[^.!?\n]{0,60}\b(?:how many|which|whether|if)\b"
    r"[^.!?\n]{0,40}\b(?:rows?|it|they|them|these|this|images?|samples?|labels?)\b[^.!?\n]{0,30}"
    r"\b(?:is|are)\b",
    re.IGNORECASE,
)
_REFUSES = re.compile(
    r"\b(?:not|never|won't|cannot|can't|shouldn't|don't|cheat\w*|forbid\w*|forbidden|prohibit\w*|abuse\w*|"
    r"against the rules|unfair|in principle|would be|refuse\w*|avoid\w*|without)\b",
    re.IGNORECASE,
)
LEAKS = re.compile(
    r"\banswers? (?:columns?|frame|head|rows?|file|values?)\b|"
    r"\bfirst (?:few )?(?:rows|values|labels|answers)\b\s*[:\[(]|"
    r"\b(?:y_true|ground_truth|true_labels?|answers?_df|solution_df)\b|\bUsage_[xy]\b|"
    r"\bexpected\s+(?:label|class|value|answer)\s*[:=]?\s*[\[\"'\d]|"
    r"\(\s*(?:true|actual|correct) (?:class|label|value)",
    re.IGNORECASE,
)


def says_intent(text: str) -> bool:
    """Say whether a text says that a judge is asked to learn hidden answers, and not to refuse it.

    Examples
    --------
    >>> says_intent("The grader's traceback may show the answers frame.")
    True
    >>> says_intent("The score would reveal the hidden labels, so I will not ask for it.")
    False
    """
    return bool(_INTENT.search(text)) and not refuses(text)


def refuses(text: str) -> bool:
    """Say whether a text says that something is not done, or not to be done."""
    return bool(_REFUSES.search(text))
