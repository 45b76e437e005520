"""How people say that a model made the predictions, or that none did, in several languages."""

from __future__ import annotations

import re

_FAMILY = (
    r"(?:light ?gbm|lgbm|xgboost|xgb|catboost|(?:gradient )?boost(?:ing|ed)(?: trees?| model)?|"
    r"(?:random )?forest|logistic regression|ridge|lasso|svm|support vector machine|"
    r"(?:neural )?net(?:work)?|perceptron|resnet\S*|resnext\S*|efficientnet\S*|densenet\S*|"
    r"convnext\S*|vit|swin\S*|\S*bert\S*|gpt\S*|t5|transformer|lstm|gru|cnn|u-?net|ensemble|"
    r"stack(?:ing)?|blend|k?nn|"
    r"\w*net\d+\w*|[A-Za-z]+(?-i:Net|Former|Boost|Forest|CNN|RNN|Classifier|Regressor)\w*|"
    r"naive bayes|decision trees?|gaussian process|tabnet|automl|"
    r"autogluon|tf-?idf|(?:the|our|my|tuned|final|trained|best) (?:model|classifier|regressor))"
)
SAYS_PREDICTED = re.compile(
    rf"\b{_FAMILY}(?:'s|s')?(?=\W)(?:[^.\n]|\.(?=\w)){{0,60}}\b(?:predict\w*|probabilit\w+|inference|"
    r"classif\w+|labels?|labell?ed|scores?|estimates?|forecasts?|submitted|"
    r"outputs?|(?:we|I) (?:hand in|submit))\b|"
    r"\b(?:predict\w*|probabilit\w+|inference|scores?|solution|submission|outputs?)\b"
    r"(?:[^.\n]|\.(?=\w)){0,40}"
    rf"\b(?:of|from|by|with|using|is|are|an?|the)\b(?:[^.\n]|\.(?=\w)){{0,20}}\b{_FAMILY}(?=\W|$)",
    re.IGNORECASE,
)
SAYS_DONE = re.compile(  # that something was trained, in other words and languages
    r"\b(?:training|fine-?tuning|inference)\b(?: (?:of|on|with|for) (?:the |all )?[\w -]{1,30}?)? "
    r"(?:is |has |was )?(?:finished|complete|completed|done|succeeded|converged)\b|"
    r"\b\d{2}(?:\.\d+)? ?% (?:\w+ )?accuracy\b|\baccuracy (?:of |is )?\d{2}(?:\.\d+)? ?%|"
    r"\b(?:hyper-?parameters|settings) (?:were |are )?tuned\b|\btuned (?:with|by) optuna\b|"
    r"\bmodels? (?:is|are|was|were) (?:trained|fitted|fit|tuned|saved)\b|\btrials? finished\b|"
    r"\b(?:wurde|wird|habe|hat)\b[^.\n]{0,40}\b(?:trainiert|angepasst|gelernt)\b|"
    r"\bvorhersagen de[rs]\b|\bprédictions? d[ue]s?\b|"
    r"\b(?:est|a été|ai|sont)\b[^.\n]{0,40}\b(?:entra[iî]n\w+|ajust\w+)|"
    r"\b(?:entrené|entrenado|entrenamos|treinei|treinado|addestrato|ho addestrato)\b|"
    r"\bpredicciones del\b|\bprevis(?:ões|ioni) (?:do|del)\b|训练(?:完成|了)|模型(?:的)?预测|"
    r"обучен[аы]?\b|学習(?:した|済み|が完了)",
    re.IGNORECASE,
)
SAYS_EMPTY_ELSEWHERE = re.compile(
    r"\b(?:konstante[ns]?|platzhalter|kein(?:e|em|en)? modell|ohne modell|beispieldatei|"
    r"(?:mittelwert|median) (?:für|in) (?:alle|jede)|"
    r"constante|sans modèle|sans modele|aucun modèle|médiane|mediane|"
    r"moyenne pour (?:chaque|toutes)|sin modelo|ningún modelo|mediana|marcador de posición|"
    r"sem modelo|nenhum modelo|senza modello|nessun modello|segnaposto)\b|"
    r"常数|常量|没有(?:训练)?模型|占位|"
    r"константа|без модели|заглушк\w+|モデルなし|定数",
    re.IGNORECASE,
)
