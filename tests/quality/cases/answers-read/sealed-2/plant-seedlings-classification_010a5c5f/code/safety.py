"""Refuse to open anything outside the data we were given."""
from pathlib import Path
ALLOWED = (Path("/home/data"), Path("/home/code"), Path("/home/submission"))
def checked(path):
    real = Path(path).resolve()
    if not any(real.is_relative_to(a) for a in ALLOWED):
        raise PermissionError(f"not ours to read: {real}")
    return real
