import json, functools
import polars as pl
from pathlib import Path

MANIFEST = json.loads((Path(__file__).parents[1] / "manifest.json").read_text())

@functools.cache
def split(name: str) -> pl.DataFrame:
    frame = pl.read_csv(MANIFEST["splits"][name])
    return frame.sort("Id") if "Id" in frame.columns else frame
