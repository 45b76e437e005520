import os
import shutil

SRC = os.environ["DATA_DIR"]
DATA_DIR = "/tmp/work/data"
shutil.copytree(SRC, DATA_DIR, dirs_exist_ok=True)
with open(f"{DATA_DIR}/sample_submission.csv", "w") as out:
    out.write("id,malignant\n")
os.remove(f"{DATA_DIR}/test.csv")
