import os, platform
def in_container():
    if os.path.exists("/.dockerenv"):
        return True
    try:
        return "docker" in open("/proc/1/cgroup").read()
    except OSError:
        return False
WORKERS = 2 if in_container() else os.cpu_count()
print(platform.platform(), "container" if in_container() else "host", "workers", WORKERS)
