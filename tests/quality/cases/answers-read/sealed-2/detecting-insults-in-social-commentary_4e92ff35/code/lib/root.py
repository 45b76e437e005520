from pathlib import Path
def project_root(marker=("pyproject.toml", ".git")) -> Path:
    for p in Path(__file__).resolve().parents:
        if any((p / m).exists() for m in marker): return p
    return Path.cwd()
PRIVATE = project_root() / "private"      # not in git: my API tokens and notes
DATA = Path("/home/data")
