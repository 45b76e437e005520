import pathlib
import urllib.request

import yaml

HERE = pathlib.Path(__file__).parent
CFG = yaml.safe_load((HERE / "config.yaml").read_text())


def resource(name):
    """Path of a resource; filled on first use."""
    target = pathlib.Path(CFG["cache"]) / name
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        with urllib.request.urlopen(CFG["resources"][name]) as r:
            target.write_bytes(r.read())
        print(f"{name}: {target.stat().st_size >> 10} KiB")
    return target
