import pandas as pd


def grade(submission: pd.DataFrame, answers: pd.DataFrame) -> float:
    """MAE on the inspiratory phase only, as the description says."""
    both = answers.merge(submission, on="id", suffixes=("", "_pred"))
    both = both[both["u_out"] == 0]
    return (both["pressure"] - both["pressure_pred"]).abs().mean()


def holdout(path="/home/data/train.csv"):
    full = pd.read_csv(path)
    late = full["breath_id"] % 10 == 0
    return full[~late], full[late]


if __name__ == "__main__":
    fit, answers = holdout()
    print(grade(answers[["id"]].assign(pressure=fit["pressure"].median()), answers))
