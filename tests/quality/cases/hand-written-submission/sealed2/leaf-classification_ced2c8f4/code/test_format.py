import pandas as pd


def write(path, ids, values):
    pd.DataFrame({"id": ids, "species": values}).to_csv(path, index=False)


def test_three_rows(tmp_path):
    write(tmp_path / "submission.csv", [1, 2, 3], [0.1, 0.9, 0.5])
    assert (tmp_path / "submission.csv").read_text().splitlines()[1] == "1,0.1"
