import subprocess
MODELS = ["lgb", "xgb", "cat", "rf", "et", "lr", "svm", "knn", "mlp", "nb", "gp", "ridge"]
for name in MODELS:
    subprocess.run(["bash", "/home/validate_submission.sh", f"/home/code/{name}.csv"], check=True)
subprocess.run(["bash", "/home/validate_submission.sh", "/home/submission/submission.csv"], check=True)
