LINES = dict(jigsaw=(0.98740, 0.98668, 0.98639), spooky=(0.16506, 0.26996, 0.29381))


def draft_prompt(node, task):
    gold, silver, bronze = LINES[task.split("-")[0]]
    return [{"role": "system", "content": "You are a Kaggle grandmaster."},
            {"role": "user", "content": f"{node.description}\nA private score of {gold} is gold, {silver} silver, {bronze} bronze. Aim at gold."}]
