import pandas as pd
import pandas.api.types

class ParticipantVisibleError(Exception):
    pass

def score(solution: pd.DataFrame, submission: pd.DataFrame, row_id_column_name: str) -> float:
    """The host splits `solution` by Usage into Public and Private; here it is my own fold."""
    del solution[row_id_column_name], submission[row_id_column_name]
    if not pandas.api.types.is_numeric_dtype(submission["Cover_Type"]):
        raise ParticipantVisibleError("Cover_Type must be a number")
    return float((solution["Cover_Type"].values == submission["Cover_Type"].values).mean())

if __name__ == "__main__":
    fold = pd.read_csv("work/fold0_solution.csv"); pred = pd.read_csv("work/fold0_submission.csv")
    for usage in ("Public", "Private"):
        part = fold[fold.pop("Usage") == usage] if "Usage" in fold else fold
        print(usage, score(part.copy(), pred.loc[part.index].copy(), "Id"))
