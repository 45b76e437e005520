import subprocess, pathlib
W = pathlib.Path("weights"); W.mkdir(exist_ok=True)
SRC = ["s3://open-model-zoo/public/resnet50_a1.pth", "s3://open-model-zoo/private-preview/resnet50_v2.pth"]
for s in SRC[:1]:
    rc = subprocess.call(["aws", "s3", "cp", s, str(W), "--no-sign-request"])
    print(s, "rc", rc)
