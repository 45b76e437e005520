"""Keys and tokens are found and masked; placeholders, digests and words are left alone."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.schema import CodeLines, Confidence, Finding, LogLines, Severity
from reports.secrets import masked, secrets_in
from tests.reports.secrets import HEX, KEYS, NAMED, PRIVATE_KEY, SIGNED, drawn


@pytest.mark.parametrize(
    "form", ["{}", "key = '{}'", 'x("{}")', "K={}\n", "see {}, or", "a={}&b=1"]
)
@pytest.mark.parametrize("kind", KEYS)
def test_a_vendors_key_is_found_wherever_it_stands(kind, form):
    text = form.format(KEYS[kind])

    assert [s.kind for s in secrets_in(text)] == [kind.partition(" of ")[0].partition(",")[0]]
    assert KEYS[kind][8:] not in masked(text)
    assert secrets_in(text)[0].is_certain


@pytest.mark.parametrize("kind", NAMED)
def test_a_value_that_is_named_a_key_is_found(kind):
    before, value = NAMED[kind]
    after = "@github.com/joe/x" if kind == "address" else ""

    assert masked(before + value + after).startswith(before + "[secret: ")
    assert value not in masked(before + value + after)


@pytest.mark.parametrize("kind", SIGNED)
def test_a_signed_address_of_a_store_is_found(kind):
    before, signature = SIGNED[kind]

    assert masked(f"{before}{signature}") == f"{before}[secret: signature of a storage address]"


@pytest.mark.parametrize(
    "text",
    [
        # What downloads of public files print: signed for minutes, by whoever gives them to all.
        "https://release-assets.githubusercontent.com/a?sp=r&sv=2018-11-09&sig=" + drawn(43),
        "https://g.s3.amazonaws.com/a?X-Amz-Expires=300&X-Amz-Signature=" + drawn(64, letters=HEX),
        "https://st.blob.core.windows.net/a/w.csv?sv=2022-11-02&sig=REDACTED",
        "https://st.blob.core.windows.net/a/w.csv",
        "sig=" + drawn(40),
    ],
)
def test_what_is_signed_for_minutes_or_masked_is_none(text):
    assert secrets_in(text) == []


@pytest.mark.parametrize("at", [3, 10, 30])
def test_a_key_out_of_quoted_pieces_is_masked_with_all_of_them(at):
    key = KEYS["OpenAI API key"]
    text = f"a = 'x' + 'y'\nk = \"{key[:at]}\" + \"{key[at:]}\"; b = 'c' + 'd'"

    assert masked(text) == "a = 'x' + 'y'\nk = \"[secret: OpenAI API key]\"; b = 'c' + 'd'"


@pytest.mark.parametrize(
    "text",
    [
        "docker run -u 1000:10000000 x", "chown -u joe:example_group_1",
        "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "OPENAI_API_KEY=YOUR_API_KEY_HERE_1234567",
        "api_key='sk-your-key-goes-here-0123'", "export HF_TOKEN=$HF_TOKEN",
        "api_key=os.environ['OPENAI_API_KEY']", "token = tokenizer.encode_plus_2_with_x",
        "AKIAIOSFODNN7EXAMPLE", "aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "sk-learn-contrib-is-a-package-of-2-names", "task-2024-01-02-with-a-long-name-10",
        "hf_hub_download(repo_id='a')", "key=lambda row: row.probability_of_class_2",
        "pad_token='<pad>'", "token: ' antidisestablishmentarianism'", "password='password'",
        f"sha256: {hashlib.sha256(b'a').hexdigest()}", "commit 3f2c1a9e8d7b6c5a4f3e",
        "id,target\n00f41ae5b2a0,0.5123", "key='efficientnet_b3_fold_2_seed_42_epoch_10'",
        "request_id=550e8400-e29b-41d4-a716-446655440000", "Bearer of good news_2 for everyone",
        "if 'BEGIN RSA PRIVATE KEY' in text:", "https://user:password@host/x",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----", "sk-ant-...", "hf_...",
        "api_key = getpass('API key 1 of 2, please')", "AIza is the prefix of Google's keys",
        "https://host/path?page=2&key=name", "df.groupby('key').agg(token_count=('x', 'sum'))",
        "sk-hist-gradient-boosting-classifier-v2-large", "sk-dist-tools-for-evaluation-0.1",
        "my key is that resnet50_fold_2_seed_42_epoch_10 overfits",
        f"The cache key is {hashlib.sha256(b'a').hexdigest()}, the key is the id of the row.",
        "key: " + "a1" * 20, "secret = 'correct horse battery staple'", "ghp_" + "x" * 36,
    ],
)  # fmt: skip
def test_what_is_no_secret_stays(text):
    assert secrets_in(text) == []
    assert masked(text) == text


@pytest.mark.parametrize("says", ["my key is ", "Your wandb API key is: ", 'our access token is "'])
def test_a_key_that_is_told_in_plain_words_is_one(says):
    key = hashlib.sha1(b"told", usedforsecurity=False).hexdigest()

    assert masked(f"Track it; {says}{key} (keep it)").count(key) == 0


@given(
    st.text(alphabet=st.sampled_from(list("sk-ant_hfgpAIz0 =:\"'\n…eyJ.Bearoi/@+")), max_size=200)
)
def test_masking_again_changes_nothing_and_no_line_is_lost(text):
    once = masked(text)

    assert masked(once) == once
    assert once.count("\n") == text.count("\n")


def test_a_private_key_is_masked_and_its_lines_keep_their_numbers():
    text = f"a = 1\nkey = '''{PRIVATE_KEY}'''\nb = 2"

    assert masked(text).split("\n")[-1] == "b = 2"
    assert masked(text).count("\n") == text.count("\n")
    assert not any(line in masked(text) for line in PRIVATE_KEY.split("\n")[1:-1])


@pytest.mark.parametrize(
    "prefix", ["sk-", "sk-ant-api03-", "hf_", "ghp_", "github_pat_", "AKIA", "xoxb-", "eyJ", "AIza"]
)
@pytest.mark.parametrize("n", [2, 8, 16])
def test_a_key_that_an_excerpt_cut_short_is_masked(prefix, n):
    head = drawn(n)

    assert head not in masked(f"see {prefix}{head} …")
    assert head not in masked(f"see {prefix}{head} …\nnext line")


def test_lines_out_of_the_middle_of_a_private_key_are_masked():
    lines = PRIVATE_KEY.split("\n")[3:6]

    assert not any(line in masked("\n".join(lines)) for line in lines)
    assert masked(drawn(64, letters=HEX)) == drawn(64, letters=HEX)  # a digest


def test_a_finding_holds_no_secret_and_its_id_depends_on_none():
    def finding(key):
        lines = {"first_line": 1, "last_line": 1, "shows": f"names {key}"}
        return Finding.seen(
            "answers-read", "a", f"It says {key}.",
            LogLines(path="run.log", excerpt=f"$ export K={key}", output=f"{key}\n", **lines),
            CodeLines(path="a.py", excerpt=f"k = '{key}'", **lines),
            severity=Severity.LOW, confidence=Confidence.LOW,
        )  # fmt: skip

    first, second = (finding("hf_" + drawn(34, seed)) for seed in (1, 2))
    read = Finding.model_validate_json(first.model_dump_json().replace("[secret: Hugging", "["))

    assert "hf_" not in first.model_dump_json()
    assert first == second
    assert read.id == first.id


def test_a_document_written_before_is_masked_when_it_is_read():
    key = KEYS["GitHub token"]
    plain = Finding.seen(
        "answers-read", "a", "It says X1X.",
        LogLines(path="run.log", first_line=1, last_line=1, excerpt="X1X", shows="X1X"),
        severity=Severity.LOW, confidence=Confidence.LOW,
    ).model_dump_json().replace("X1X", key)  # fmt: skip

    assert key not in Finding.model_validate_json(plain).model_dump_json()


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN PRIVATE KEY-----" * 4000, "sk-" * 40_000, "key=" * 30_000, "a" * 100_000,
        "http://" * 10_000, "eyJ" + "a" * 100_000, "bearer " * 10_000, "username:'" * 10_000,
        "api_key_" * 10_000 + " …\n",
    ],
    ids=range(9),
)  # fmt: skip
def test_hostile_texts_take_time_in_proportion(text):
    masked(text)
