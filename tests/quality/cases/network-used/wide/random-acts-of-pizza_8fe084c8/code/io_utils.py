import shutil
import urllib.request
from pathlib import Path

SOURCE = Path("/workspace/input")


def download(name, target="cache"):
    """Copies a provided file next to the code, so that repeated reads are fast."""
    Path(target).mkdir(exist_ok=True)
    return shutil.copy(SOURCE / name, target)


def fetch(name):
    with urllib.request.urlopen((SOURCE / name).resolve().as_uri()) as r:  # file:///...
        return r.read()
