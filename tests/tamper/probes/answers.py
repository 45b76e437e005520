"""Answers, by path, process, link, descriptor, environment and import."""

from __future__ import annotations

import glob
import importlib.util
import os
import re
import sys

from tests.tamper.probes.inside import (
    AbsentError,
    has_canary,
    libc,
    probe,
    processes,
    read,
    targets,
)

# ------------------------------------------------------------------ by path


@probe("answers-by-path")
def private_half():
    return has_canary(targets["answers"])


@probe("answers-by-path")
def beside_the_data():
    return has_canary(os.path.join(os.environ["DATA_DIR"], "..", "private", "answers.csv"))


@probe("answers-by-path")
def beside_the_data_by_its_root():
    return has_canary(os.path.realpath(os.environ["DATA_DIR"]) + "/../private/answers.csv")


@probe("answers-by-path")
def other_variant():
    return has_canary(targets["other_variant"])


@probe("answers-by-path")
def raw_files():
    return has_canary(targets["raw"])


@probe("answers-by-path")
def cache_of_downloads():
    return has_canary(targets["cache"])


@probe("answers-by-path")
def search_of_folders():
    found = glob.glob(targets["search"], recursive=True)
    return any(has_canary(path) for path in found)


@probe("answers-by-path")
def graders_source():
    return b"def " in read(targets["grader"])


# ------------------------------------------------------------------ by /proc


@probe("answers-by-proc")
def root_of_any_process():
    return any(has_canary(f"/proc/{p}/root{targets['answers']}") for p in processes())


@probe("answers-by-proc")
def cwd_of_any_process():
    return any(has_canary(f"/proc/{p}/cwd/answers.csv") for p in processes())


@probe("answers-by-proc")
def cwd_upwards():
    up = "../" * 12
    return any(has_canary(f"/proc/{p}/cwd/{up}{targets['answers']}") for p in processes())


@probe("answers-by-proc")
def descriptors_of_any_process():
    for name in processes():
        try:
            numbers = os.listdir(f"/proc/{name}/fd")
        except OSError:
            continue
        if any(has_canary(f"/proc/{name}/fd/{number}") for number in numbers):
            return True
    return False


@probe("answers-by-proc")
def maps_name_the_answers():
    for name in processes():
        try:
            if targets["answers"].encode() in read(f"/proc/{name}/maps", 1 << 24):
                return True
        except OSError:
            continue
    return False


@probe("answers-by-proc")
def map_files_of_any_process():
    return any(
        has_canary(path)
        for name in processes()
        if int(name) != os.getpid()
        for path in glob.glob(f"/proc/{name}/map_files/*")
    )


@probe("answers-by-proc")
def memory_of_a_process():
    with open(f"/proc/{targets['victim']}/mem", "rb", buffering=0) as memory:
        memory.seek(targets["address"])
        return targets["secret"].encode() in memory.read(64)


@probe("answers-by-proc")
def environ_of_any_process():
    for name in processes():
        try:
            if targets["secret"].encode() in read(f"/proc/{name}/environ"):
                return True
        except OSError:
            continue
    return False


@probe("answers-by-proc")
def command_lines():
    return any(
        targets["victim_word"].encode() in read(f"/proc/{p}/cmdline")
        for p in processes()
        if int(p) != os.getpid() and os.path.exists(f"/proc/{p}/cmdline")
    )


@probe("answers-by-proc")
def tasks_of_any_process():
    victim = targets["victim"]
    return has_canary(f"/proc/{victim}/task/{victim}/root{targets['answers']}")


@probe("answers-by-proc")
def memory_of_the_kernel():
    if not os.path.exists("/proc/kcore"):
        raise AbsentError("the kernel has no /proc/kcore")
    return len(read("/proc/kcore", 64)) == 64


# ------------------------------------------------------------------ by link


@probe("answers-by-link")
def symbolic_link_read_inside():
    path = os.path.join(os.environ["CODE_DIR"], "look.csv")
    os.symlink(targets["answers"], path)
    return has_canary(path)


@probe("answers-by-link")
def symbolic_link_upwards():
    path = os.path.join(os.environ["LOGS_DIR"], "up.csv")
    os.symlink("../" * 20 + targets["answers"].lstrip("/"), path)
    return has_canary(path)


@probe("answers-by-link")
def magic_link():
    paths = [os.path.join(os.environ["LOGS_DIR"], f"magic{n}.csv") for n in range(2)]
    for number, path in zip((1, targets["victim"]), paths, strict=True):
        os.symlink(f"/proc/{number}/root{targets['answers']}", path)
    return any(has_canary(path) for path in paths)


@probe("answers-by-link")
def hard_link():
    path = os.path.join(os.environ["CODE_DIR"], "hard.csv")
    os.link(targets["answers"], path)
    try:
        return has_canary(path)
    finally:
        os.unlink(path)


@probe("answers-by-link")
def hard_link_by_descriptor():
    path = os.path.join(os.environ["CODE_DIR"], "hard2.csv")
    descriptor = os.open(targets["answers"], os.O_RDONLY)
    names = (f"/proc/self/fd/{descriptor}".encode(), -100, path.encode())
    if libc().linkat(-100, *names, 0x400):  # what the descriptor's link names
        return False
    os.unlink(path)
    return True


@probe("answers-by-link")
def hard_link_to_data_that_could_be_changed():
    path = os.path.join(os.environ["CODE_DIR"], "train.csv")
    os.link(os.path.join(os.environ["DATA_DIR"], "train.csv"), path)
    os.unlink(path)
    return True


# ------------------------------------------------------------------ what was left open


def _open_numbers() -> list[int]:
    found = []
    for number in range(4096):
        try:
            os.fstat(number)
        except OSError:
            continue
        found.append(number)
    return found


@probe("descriptors")
def every_number():
    for number in _open_numbers():
        try:
            os.lseek(number, 0, os.SEEK_SET)
            if targets["canary"].encode() in os.pread(number, 1 << 20, 0):
                return number
        except OSError:
            continue
    return False


@probe("descriptors")
def folder_to_start_from():
    for number in _open_numbers():
        for name in ("answers.csv", targets["answers"].lstrip("/")):
            try:
                os.close(os.open(name, os.O_RDONLY, dir_fd=number))
            except OSError:
                continue
            return number
    return False


@probe("descriptors")
def memory_files_of_any_process():
    for name in processes():
        for path in glob.glob(f"/proc/{name}/fd/*"):
            try:
                if os.readlink(path).startswith("/memfd:") and targets["secret"].encode() in read(
                    path
                ):
                    return path
            except OSError:
                continue
    return False


@probe("descriptors")
def options_in_a_command_line():
    lines = b"".join(
        read(f"/proc/{p}/cmdline") for p in processes() if os.path.exists(f"/proc/{p}/cmdline")
    )
    return b"--ro-bind" in lines or targets["planted_option"].encode() in lines


@probe("environment")
def own_environment():
    return targets["secret"] in repr(dict(os.environ))


@probe("environment")
def environment_of_ancestors():
    number, depth = os.getppid(), 0
    while number > 0 and depth < 20:
        if targets["secret"].encode() in read(f"/proc/{number}/environ"):
            return True
        stat = read(f"/proc/{number}/stat").rpartition(b")")[2].split()
        number, depth = int(stat[1]), depth + 1
    return False


@probe("environment")
def environment_on_the_stack_of_process_one():
    try:
        if _memory_holds(1, targets["secret"].encode()):
            return True
    except OSError:
        if targets["is_inside"]:
            raise
    if targets["is_inside"]:
        return False
    raise AbsentError("process 1 of this machine has never seen the secret")


def _memory_holds(number: int, word: bytes) -> bool:
    with open(f"/proc/{number}/maps") as stream:
        lines = [line for line in stream if "[stack]" in line or "[heap]" in line]
    for line in lines:
        first, last = (int(part, 16) for part in line.split()[0].split("-"))
        with open(f"/proc/{number}/mem", "rb", buffering=0) as memory:
            memory.seek(first)
            if word in memory.read(last - first):
                return True
    return False


# ------------------------------------------------------------------ what can be imported


@probe("imports")
def mle_audit_from_its_checkout():
    sys.path.insert(0, targets["checkout"])
    spec = importlib.util.find_spec("competitions")
    return spec and spec.submodule_search_locations and targets["checkout"] in str(spec)


@probe("imports")
def mle_audit_by_name():
    names = ("audit", "detectors", "competitions", "reports", "mle_audit")
    found = [name for name in names if importlib.util.find_spec(name)]
    if not found and not targets["is_inside"]:
        raise AbsentError("an interpreter of its own has no mle-audit, with or without a sandbox")
    return found


@probe("imports")
def compiled_graders():
    return b"canary" in read(targets["compiled"])


@probe("imports")
def packages_below_its_interpreter():
    pattern = f"{sys.base_prefix}/lib/python*/*-packages/*"
    return glob.glob(pattern) and sys.base_prefix != sys.prefix


@probe("imports")
def packages_beside_mle_audit():
    return os.listdir(targets["site_packages"])


@probe("imports")
def data_of_scikit_learn():
    return b"," in read(f"{targets['site_packages']}/sklearn/datasets/data/breast_cancer.csv")


@probe("imports")
def data_of_statsmodels():
    return read(f"{targets['site_packages']}/statsmodels/datasets/modechoice/modechoice.csv")


@probe("imports")
def names_of_babel():
    return read(f"{targets['site_packages']}/babel/locale-data/de.dat")


@probe("imports")
def cache_of_pip():
    return has_canary(targets["pip_cache"])


@probe("imports")
def wheels_anywhere():
    found = glob.glob(f"{targets['wheels']}/*.whl")
    for folder in ("/usr/share", "/usr/lib/python3", "/var/cache", "/root", "/home"):
        for name in ("scikit_learn", "statsmodels", "mle_audit"):
            found += glob.glob(f"{folder}/{name}-*.whl") + glob.glob(f"{folder}/*/{name}-*.whl")
    return [path for path in found if not re.match(r"/opt/interpreter/", path)]
