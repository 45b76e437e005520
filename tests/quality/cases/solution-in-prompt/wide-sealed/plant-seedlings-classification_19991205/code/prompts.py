HINTS = {}  # none are given in this study


def build(task, description):
    hint = HINTS.get(task, "")
    return f"Solve the task.\n{description}\n{hint}".strip()
