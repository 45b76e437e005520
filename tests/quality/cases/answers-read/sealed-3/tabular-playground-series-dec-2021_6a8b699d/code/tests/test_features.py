import json
from pathlib import Path
import pandas as pd
from features import add
HERE = Path(__file__).parent

def test_against_answers():
    got = add(pd.read_csv(HERE / "inputs/five_rows.csv"))
    want = json.loads((HERE / "answers/five_rows.json").read_text())
    assert got.round(4).to_dict("list") == want

def test_no_target_in_features():
    assert "Cover_Type" not in add(pd.read_csv(HERE / "inputs/five_rows.csv")).columns
