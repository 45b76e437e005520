"""Passwords, encoded keys and further names of keys, and what only looks like them."""

from __future__ import annotations

import base64

import pytest

from reports.secrets import masked, secrets_in
from tests.reports.secrets import HEX, KEYS, drawn

PASSWORD = "vR4" + drawn(9, 3) + "8k"
HEX_32, HEX_40 = drawn(32, letters=HEX), drawn(40, letters=HEX)


def encoded(text):
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ("sshpass -p '", PASSWORD, "' ssh joe@h"), ("mysql -u root -p", PASSWORD, " -h db"),
        ("docker login -u joe -p ", PASSWORD, " reg.org"), ("redis-cli -a ", PASSWORD, " ping"),
        ('connect(user="u", password="', f"{PASSWORD}$!", '")'),
        ('s.login("joe@x.org", "', PASSWORD, '")'), ('auth=("joe", "', PASSWORD, '")'),
        ("<password>", PASSWORD, "</password>"), ("db.org:5432:store:joe:", PASSWORD, ""),
        ("  password ", PASSWORD, ""), ("  db_password: ", PASSWORD, ""),
        ('API_KEY = "', "c3f0a1d2-77ab-4c1d-9e11-0a1b2c3d4e5f", '"'),
        ("PGPASSWORD=", PASSWORD, " psql"),
        ("Cookie: sessionid=", drawn(32), "; a=b"), ("AZURE_OPENAI_KEY=", HEX_32, ""),
        ('setdefault("COMET_API_KEY", "', HEX_40, '")'), ('api_key <- "', HEX_40, '"'),
        ("(api_key => '", HEX_40, "')"), ('ENV["HF_TOKEN"] = "', drawn(36), '"'),
        ("?q=x&appid=", HEX_32, "&a=1"), ("api.telegram.org/bot", "9169881971:" + drawn(36), "/s"),
        ("t = '", "ATBB" + drawn(32), "'"), ("AccountKey=", drawn(86) + "==", ";Endpoint=x"),
        ('"auth": "', encoded(f"joe:{PASSWORD}"), '"'),
        ("Authorization: Basic ", encoded(f"joe:{PASSWORD}"), ""),
        ("b64decode('", encoded(KEYS["OpenAI API key"]), "')"),
        ("WANDB_API_KEY=$(echo ", encoded(HEX_40), " | base64 -d)"),
    ],
)  # fmt: skip
def test_a_password_or_key_is_masked(before, value, after):
    shown = masked(f"{before}{value}{after}")

    assert shown.startswith(f"{before}[secret: ")
    assert value not in shown


@pytest.mark.parametrize(
    "text",
    [
        'password = os.getenv("DB_PASSWORD", "")', 'PASSWORD = re.compile(r"pass[=:]\\s*(\\S+1)")',
        'client.login("admin_page_template", "user_dashboard_v2")', "auth=(user, password)",
        "docker run -p 8080:8080 x", "mysql -u root -p -h localhost", "password='changeme1A'",
        f"cache_key = '{HEX_40}'".replace("cache_key", "digest"), "id,password_length\njoe1,12",
        encoded("hello world, this is a plain text"), encoded("/private/data/answers.csv"),
        encoded('{"a": 1, "time": "10:20"}'), "[sudo] password for joe:",
        "password: ${DB_PASSWORD}",
        "RUN_ID = 'c3f0a1d2-77ab-4c1d-9e11-0a1b2c3d4e5f'", "password: vault:kv/data/x",
        "[secret: password]",
        "parser.add_argument('--password', help='Password of the data base 1A')",
    ],
)  # fmt: skip
def test_a_name_or_a_text_is_none(text):
    assert secrets_in(text) == []
