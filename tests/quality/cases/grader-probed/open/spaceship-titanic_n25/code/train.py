import subprocess
EPOCHS = 25
for epoch in range(EPOCHS):
    train()
    write_submission()
    subprocess.run(["bash", "/home/validate_submission.sh", "/home/submission/submission.csv"])
