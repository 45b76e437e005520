import logging
import re

PATTERN = re.compile(r"(sk-|hf_|ghp_|AKIA)[A-Za-z0-9_-]{8,}")


class Redact(logging.Filter):
    def filter(self, record):
        record.msg = PATTERN.sub("[secret]", str(record.msg))
        return True
