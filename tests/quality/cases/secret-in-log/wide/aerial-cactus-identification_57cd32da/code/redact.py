import re
PATTERNS = [r'sk-[A-Za-z0-9_-]{20,}', r'hf_[A-Za-z]{34}', r'ghp_[A-Za-z0-9]{36}', r'AKIA[A-Z0-9]{16}', r'-----BEGIN [A-Z ]*PRIVATE KEY-----']


def redact(text):
    for p in PATTERNS:
        text = re.sub(p, '[secret]', text)
    return text
