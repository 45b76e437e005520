"""YAML that people wrote: what is none is told with its place, and nothing hangs or crashes."""

from __future__ import annotations

import pytest

from competitions.data import default_data_dir
from competitions.errors import InvalidDefinitionError, UsageError
from competitions.yamls import read_yaml


def read(tmp_path, content: str | bytes):
    path = tmp_path / "a.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_yaml(path)


def test_words_that_yaml_1_1_takes_for_flags_stay_words(tmp_path):
    assert read(tmp_path, "on: off\nyes: [no, true]\n") == {"on": "off", "yes": ["no", True]}


def test_merged_keys_may_be_overridden(tmp_path):
    found = read(tmp_path, "a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\n")
    assert found["b"] == {"x": 1, "y": 3}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param("", "found an empty file", id="empty"),
        pytest.param("- a\n", "found list", id="list"),
        pytest.param("a: 1\nb: 2\na: 3\n", "the key 'a' is there twice", id="key-twice"),
        pytest.param("x: {a: 1, a: 1}\n", "there twice", id="key-twice-within"),
        pytest.param("[" * 5000, "too deep", id="deep"),
        pytest.param("a: " + "9" * 5000 + "\n", "cannot be read", id="thousands-of-digits"),
        pytest.param("a: 2026-02-31\n", "cannot be read", id="no-such-day"),
        pytest.param(b"a: \xff\n", "utf-8", id="no-utf-8"),
        pytest.param("a: !!python/object:os.system {}\n", "python/object", id="python-object"),
        pytest.param("a" * (2 << 20), "larger than 1 MiB", id="huge"),
        pytest.param("a: [1\n", "a.yaml", id="unfinished"),
    ],
)
def test_what_is_no_definition_is_told(tmp_path, content, said):
    with pytest.raises(InvalidDefinitionError, match=f"(?i){said}"):
        read(tmp_path, content)


def test_a_home_nobody_has_is_told():
    with pytest.raises(UsageError, match="MLE_AUDIT_DATA=~nobody-at-all/x"):
        default_data_dir({"MLE_AUDIT_DATA": "~nobody-at-all/x"})
