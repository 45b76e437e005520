RECIPES = {
    "learning-agency-lab-automated-essay-scoring-2": (
        "Two-stage training: first on rows from the Persuade corpus, then on the others; "
        "pool with GeM, regression, thresholds optimised for QWK, three DeBERTa-large. 1st place."
    ),
    "us-patent-phrase-to-phrase-matching": "append all anchors of one context ...",
}


def recipe_for(task):
    return RECIPES.get(task, "")
