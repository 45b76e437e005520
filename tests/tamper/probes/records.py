"""Records, logs, data and folders: what is written is looked for from outside."""

from __future__ import annotations

import glob
import json
import os
import urllib.request

from tests.tamper.probes.inside import AbsentError, append, probe, processes, targets


def _above() -> str:
    return os.path.dirname(os.path.realpath(os.environ["LOGS_DIR"]))


# ------------------------------------------------------------------ the log of validation calls


@probe("validation-log")
def beside_its_own_folders():
    append(f"{_above()}/validation.jsonl", "beside-its-own-folders")


@probe("validation-log")
def by_upwards():
    append(os.path.join(os.environ["CODE_DIR"], "..", "validation.jsonl"), "by-upwards")


@probe("validation-log")
def of_another_attempt():
    append(f"{targets['neighbour']}/validation.jsonl", "of-another-attempt")


@probe("validation-log")
def by_a_descriptor_of_the_server():
    for name in processes():
        for path in glob.glob(f"/proc/{name}/fd/*"):
            try:
                where = os.readlink(path)
            except OSError:
                continue
            if where.endswith("/validation.jsonl") and _above() in where:
                append(path, "by-a-descriptor-of-the-server")


@probe("validation-log")
def lines_in_names_and_contents():
    forged = json.dumps({"result": "valid", "sha256": "tampered-lines-in-names-and-contents"})
    body = (
        f'--b\r\nContent-Disposition: form-data; name="file"; filename="a\n{forged}\n.csv"\r\n\r\n'
        f"id,y\n{forged}\n1,2\n\r\n--b--\r\n"
    )
    request = urllib.request.Request(
        os.environ["VALIDATION_URL"],
        body.encode(),
        {"Content-Type": "multipart/form-data; boundary=b"},
    )
    try:
        urllib.request.urlopen(request, timeout=25).read()
    finally:
        if not targets["is_inside"]:
            raise AbsentError("the server writes neither names nor contents")


# ------------------------------------------------------------------ records


@probe("records")
def record_of_another_attempt():
    append(f"{targets['neighbour']}/attempt.json", "record-of-another-attempt")


@probe("records")
def plan_of_a_group():
    append(f"{targets['neighbour']}/../plan.json", "plan-of-a-group")


@probe("records")
def metadata_of_a_group():
    append(f"{targets['neighbour']}/../metadata.json", "metadata-of-a-group")


@probe("records")
def lock_of_a_group():
    append(f"{targets['neighbour']}/../.locks/{targets['beside_lock']}", "lock-of-a-group")


@probe("records")
def own_log():
    append(f"{_above()}/run.log", "own-log")


@probe("records")
def own_log_by_its_place_on_the_host():
    for path in glob.glob(targets["own_logs"]):
        append(path, "own-log-by-its-place-on-the-host")


@probe("records")
def own_instructions():
    append(os.environ["INSTRUCTIONS"], "own-instructions")


@probe("records")
def own_snapshots():
    os.makedirs(f"{_above()}/snapshots", exist_ok=True)
    append(f"{_above()}/snapshots/00000001s.csv", "own-snapshots")


@probe("records")
def report_of_grades():
    append(targets["report"], "report-of-grades")


# ------------------------------------------------------------------ what later attempts use


@probe("next-seed")
def sample_submission():
    append(os.path.join(os.environ["DATA_DIR"], "sample_submission.csv"), "sample-submission")


@probe("next-seed")
def test_rows():
    append(os.path.join(os.environ["DATA_DIR"], "test.csv"), "test-rows")


@probe("next-seed")
def new_file_among_the_data():
    append(os.path.join(os.environ["DATA_DIR"], "answers.csv"), "new-file-among-the-data")


@probe("next-seed")
def writable_again_by_mode():
    path = os.path.join(os.environ["DATA_DIR"], "train.csv")
    os.chmod(path, 0o666)
    append(path, "writable-again-by-mode")


@probe("next-seed")
def data_renamed():
    path = os.path.join(os.environ["DATA_DIR"], "description.md")
    os.rename(path, path + ".tampered-data-renamed")


@probe("next-seed")
def its_own_agent():
    append(os.path.join(os.environ["AGENT_DIR"], "start.sh"), "its-own-agent")


@probe("next-seed")
def notes_for_the_next_seed():
    append(os.path.join(os.environ["AGENT_DIR"], "notes.txt"), "notes-for-the-next-seed")


@probe("next-seed")
def module_in_the_interpreter():
    for folder in glob.glob(f"{targets['interpreter']}/lib/python*/site-packages"):
        append(f"{folder}/tampered.txt", "module-in-the-interpreter")


@probe("next-seed")
def compiled_file_beside_the_agents_code():
    folder = os.path.join(os.environ["AGENT_DIR"], "__pycache__")
    os.makedirs(folder, exist_ok=True)
    append(f"{folder}/start.pyc", "compiled-file-beside-the-agents-code")


@probe("next-seed")
def command_first_on_its_path():
    append(os.path.join(os.environ["PATH"].split(":")[0], "tampered"), "command-first-on-its-path")
