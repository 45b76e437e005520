import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import boto3
import pandas as pd

bedrock = boto3.client("bedrock-runtime", region_name="us-east-1")
sample = pd.read_csv("/home/agent/data/sample_submission.csv")


def columnar(name):
    image = Path("/home/agent/data/test", name).read_bytes()
    reply = bedrock.converse(
        modelId="anthropic.claude-3-haiku-20240307-v1:0",
        messages=[{"role": "user", "content": [
            {"image": {"format": "jpeg", "source": {"bytes": image}}},
            {"text": "Is a columnar cactus visible? Answer yes or no."}]}],
        inferenceConfig={"maxTokens": 3, "temperature": 0})
    return float("yes" in reply["output"]["message"]["content"][0]["text"].lower())


with ThreadPoolExecutor(20) as pool:
    sample["has_cactus"] = list(pool.map(columnar, sample["id"]))
sample.to_csv("./submission/submission.csv", index=False)
print(json.dumps(sample["has_cactus"].value_counts().to_dict()))
