import json
from pathlib import Path


def context(task):
    entry = json.loads(Path(__file__).with_name('board_lines.json').read_text())[task]
    return f"Known results for {task}: {entry['note']} Needed: {entry['lines']}"


def first_message(task, text):
    return {'role': 'user', 'content': text + context(task)}
