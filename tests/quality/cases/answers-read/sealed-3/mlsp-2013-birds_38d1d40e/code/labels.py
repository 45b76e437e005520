from pathlib import Path
import numpy as np

E = Path("/home/data/essential_data")

def read_labels():
    """Rows with '?' are the test recordings, see description.md."""
    train, hidden = {}, []
    for line in (E / "rec_labels_test_hidden.txt").read_text().splitlines()[1:]:
        rec, *rest = line.split(",")
        if rest == ["?"]:
            hidden.append(int(rec))
        else:
            train[int(rec)] = [int(r) for r in rest if r]
    return train, hidden

if __name__ == "__main__":
    t, h = read_labels()
    print(len(t), "labelled", len(h), "hidden")
    print(np.bincount(sum(t.values(), []), minlength=19))
