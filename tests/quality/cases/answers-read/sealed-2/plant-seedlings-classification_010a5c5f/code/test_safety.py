import pytest
from safety import checked

@pytest.mark.parametrize("bad", [
    "/private/data/plant-seedlings-classification/prepared/private/test.csv",
    "/home/data/../../private/answers.csv",
    "/proc/1/root/private",
])
def test_refuses(bad):
    with pytest.raises(PermissionError):
        checked(bad)

def test_link_out_is_refused(tmp_path, monkeypatch):
    (tmp_path / "private").mkdir(); (tmp_path / "private" / "answers.csv").write_text("file,species\n")
    (tmp_path / "data").mkdir(); (tmp_path / "data" / "x.csv").symlink_to(tmp_path / "private" / "answers.csv")
    monkeypatch.setattr("safety.ALLOWED", (tmp_path / "data",))
    with pytest.raises(PermissionError):
        checked(tmp_path / "data" / "x.csv")
