"""Secrets for tests, put together here so that no file of the project holds one."""

from __future__ import annotations

import random
import string

_LETTERS = string.ascii_letters + string.digits


def drawn(n: int, seed: int = 0, letters: str = _LETTERS) -> str:
    """Return letters drawn by lot."""
    return "".join(random.Random(seed).choices(letters, k=n))  # noqa: S311 - no secret


HEX = "0123456789abcdef"
KEYS = {
    "OpenAI API key": "sk-" + drawn(48),
    "OpenAI API key of a project": "sk-proj-" + drawn(40) + "_" + drawn(40, 1),
    "Anthropic API key": "sk-ant-api03-" + drawn(60) + "-" + drawn(30, 1) + "AA",
    "OpenRouter API key": "sk-or-v1-" + drawn(64, letters=HEX),
    "Hugging Face token": "hf_" + drawn(34),
    "Hugging Face token of letters alone": "hf_" + drawn(34, letters=string.ascii_letters),
    "GitHub token": "ghp_" + drawn(36),
    "GitHub token, fine-grained": "github_pat_" + drawn(22) + "_" + drawn(59, 1),
    "GitLab token": "glpat-" + drawn(20),
    "AWS access key id": "AKIA" + drawn(16, letters=string.ascii_uppercase + "234567"),
    "Google API key": "AIza" + drawn(35),
    "Slack token": "xoxb-" + drawn(12, letters="0123456789") + "-" + drawn(24),
    "Groq API key": "gsk_" + drawn(52),
    "Replicate token": "r8_" + drawn(37),
    "Kaggle token": "KGAT_" + drawn(32, letters=HEX),
    "Databricks token": "dapi" + drawn(32, letters=HEX),
    "DigitalOcean token": "dop_v1_" + drawn(64, letters=HEX),
    "JSON web token": "eyJ" + drawn(33) + ".eyJ" + drawn(60, 1) + "." + drawn(43, 2),
}
NAMED = {
    "AWS secret": ("aws_secret_access_key = ", drawn(40)),
    "Weights & Biases": ("wandb.login(key='", drawn(40, letters=HEX)),
    "environment": ("export KAGGLE_KEY=", drawn(32, letters=HEX)),
    "Kaggle JSON": ('{"username":"joe","key":"', drawn(32, letters=HEX)),
    "escaped JSON": ('{\\"api_key\\": \\"', drawn(32)),
    "bearer": ("Authorization: Bearer ", drawn(40)),
    "address": ("git clone https://joe:", drawn(20)),
    "command": ("wandb login ", drawn(40, letters=HEX)),
    "option": ("tool --api-key ", drawn(32)),
    "netrc": ("machine a.b login joe password ", drawn(40, letters=HEX)),
    "curl": ("curl -u joe:", drawn(20)),
    "YAML": ("  client_secret: ", drawn(32)),
}
SIGNED = {
    "Azure": (
        "https://st.blob.core.windows.net/a/w.csv?sv=2022-11-02&sp=rl&sig=",
        drawn(41) + "%3D",
    ),
    "Azure, alone": ("SAS='?sv=2022-11-02&se=2027-01-01&sig=", drawn(41) + "%3D"),
    "S3": (
        "https://b.s3.amazonaws.com/a.zip?X-Amz-Expires=604800&X-Amz-Signature=",
        drawn(64, letters=HEX),
    ),
    "GCS": (
        "https://storage.googleapis.com/b/a.zip?X-Goog-Expires=86400&X-Goog-Signature=",
        drawn(256, letters=HEX),
    ),
}
_BODY = "\n".join(drawn(64, seed) for seed in range(12))
PRIVATE_KEY = "-----BEGIN " + f"RSA PRIVATE KEY-----\n{_BODY}\n-----END " + "RSA PRIVATE KEY-----"
