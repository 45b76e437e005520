from pathlib import Path

import platformdirs
import pytest

from competitions.data import Layout, default_data_dir


def test_the_environment_goes_before_everything(tmp_path):
    (tmp_path / ".cache/mle-bench/data").mkdir(parents=True)

    assert default_data_dir({"MLE_AUDIT_DATA": "/somewhere"}, tmp_path) == Path("/somewhere")


def test_an_existing_mlebench_cache_goes_before_the_users_cache_folder(tmp_path):
    cache = tmp_path / ".cache/mle-bench/data"
    cache.mkdir(parents=True)

    assert default_data_dir({}, tmp_path) == cache


def test_the_users_cache_folder_is_the_last_choice(tmp_path):
    expected = Path(platformdirs.user_cache_dir("mle-audit", appauthor=False)) / "data"

    assert default_data_dir({"MLE_AUDIT_DATA": ""}, tmp_path) == expected


@pytest.mark.parametrize(
    ("variant", "folder"),
    [pytest.param("v1", "prepared", id="v1"), pytest.param("fixed", "prepared-fixed", id="fixed")],
)
def test_manifest_and_schema_lie_beside_the_two_trees(variant, folder):
    layout = Layout(Path("/d"), "task", variant)

    assert layout.prepared == Path("/d/task") / folder
    assert {layout.public, layout.private, layout.manifest, layout.schema} == {
        layout.prepared / name
        for name in ("public", "private", "manifest.json", "submission-schema.json")
    }
