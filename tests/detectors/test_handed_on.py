"""Functions that pools, threads and maps call are entered with what they are given."""

from __future__ import annotations

import pytest

from detectors.calls import calls
from detectors.units import CodeUnit


def reached(code):
    found = calls([CodeUnit("a.py", 1, "python", code, "a")])
    return {s for _, call in found if call.name == "open" for s in call.strings}


GET = "def get(name, folder='/x'):\n    open(f'{folder}/{name}')\n"


@pytest.mark.parametrize(
    "code",
    [
        "list(map(open, ['/x/a', '/x/b']))",
        f"{GET}with ThreadPoolExecutor() as pool:\n    pool.map(get, ['a', 'b'])",
        f"{GET}Pool(4).imap_unordered(get, ('a', 'b'))",
        f"{GET}pool.starmap(get, [('a', '/x'), ('b', '/x')])",
        f"{GET}for n in ('a', 'b'):\n    pool.submit(get, n)",
        f"{GET}for n in ('a', 'b'):\n    pool.apply_async(get, (n,))",
        f"{GET}for n in ('a', 'b'):\n    Thread(target=get, args=(n,)).start()",
        f"{GET}Parallel(n_jobs=2)(delayed(get)(n) for n in ['a', 'b'])",
        f"{GET}for i, n in enumerate(['a', 'b']):\n    get(n)",
        f"{GET}for n, d in zip(['a', 'b'], ['/x', '/x']):\n    get(n, d)",
        f"{GET}for n in tqdm(['a', 'b']):\n    get(n)",
        f"{GET}c = dict(names=['a', 'b'])\nfor n in c['names']:\n    get(n)",
        f'{GET}for n in json.loads(\'["a", "b"]\'):\n    get(n)',
    ],
)
def test_a_function_is_entered_by_whoever_calls_it_for_others(code):
    assert {"/x/a", "/x/b"} <= reached(code)


@pytest.mark.parametrize(
    "code",
    [
        "frame['a'].map(open)",
        "frame.apply(open, axis=1)",
        "map(open, names)",
        "for i, x in enumerate(loader):\n    open(x)",
        "Thread(target=work, args=('/x/a',))",
        "pool.submit(work, '/x/a')",
    ],
)
def test_what_is_not_known_reaches_nothing(code):
    assert reached(code) == set()


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("open(os.getenv('D') or '/x/a')", "/x/a"),
        ("from types import SimpleNamespace\nc = SimpleNamespace(p='/x/a')\nopen(c.p)", "/x/a"),
        ("open(urljoin('https://h.org/d/', 'a.csv'))", "https://h.org/d/a.csv"),
        ("open(random.choice(['/x/a', '/x/b']))", "/x/a"),
        ("open(next(iter(['/x/a'])))", "/x/a"),
        ("open(''.join(a + b for a, b in zip('//', 'xa')))", "/x/a"),
        ("exec(compile(\"open('/x/a')\", 'f', 'exec'))", "/x/a"),
        ("open(__import__('base64').b64decode('L3gvYQ==').decode())", "/x/a"),
        ("class E(Enum):\n    A = '/x/a'\nopen(E.A.value)", "/x/a"),
    ],
)
def test_plain_functions_fold(code, text):
    assert reached(code) == {text}
