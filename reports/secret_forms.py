"""The forms of keys, tokens and passwords: those of vendors, and those of settings and commands."""

from __future__ import annotations

import re
from typing import NamedTuple


class Form(NamedTuple):
    """A form by which secrets are known."""

    kind: str
    hints: tuple[str, ...]  # of lower case; a text without any of them has no such secret
    pattern: re.Pattern[str]  # its group `value`, else all of it, is the secret
    is_certain: bool = True


EDGE = (  # also behind what is no letter, though written with one: an escape, %3D, a colour
    r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt])|(?<=\\u00[0-9a-f]{2})|(?<=%[0-9A-F]{2})|(?<=\[\dm)|"
    r"(?<=\[\d\dm)|(?<=\[\d;\d\dm))"
)


def _vendor(kind: str, hints: str, pattern: str) -> Form:
    return Form(kind, tuple(hints.split()), re.compile(EDGE + pattern))


NAMES = (  # of a setting, an argument, a header
    r"(?:api|access|secret|account|private|subscription|auth|encryption|signing|kaggle|wandb|"
    r"storage|service|license|app|admin|write|read|ingest|instrumentation|master|live)"
    r"[_-]?(?:access[_-]?)?(?:key|token|secret)|client[_-]?secret|(?:auth|bearer|session|hub|hf|"
    r"github|gh|bot|refresh|id|personal[_-]access|oauth|jira|gitlab|slack|neptune|comet)"
    r"[_-]?(?:api[_-]?)?token|apikey|appid|app[_-]password|passw(?:or)?d|passphrase|"
    r"connection[_-]?string|credentials?|[A-Z0-9]{2,30}_(?-i:KEY|TOKEN|SECRET|PAT|PWD|PASS)|"
    r"\bpwd|\bsecret|\btoken|\bkey"
)
FORMS = (
    Form(
        "private key",
        ("private key",),
        re.compile(
            r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[A-Za-z0-9+/=\s\\\"',:.]{0,16000}"
            r"(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?"
        ),
    ),
    Form(  # with something before each line: a time, a mark of a quotation, its number
        "private key",
        ("private key",),
        re.compile(
            r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^\n]{0,10}\n[^\n]{1,60}?"
            r"(?<![\w+/])[A-Za-z0-9+/]{16,80}={0,2}(?=[\\\"', \t\r]{0,6}\n)){2,200}"
            r"(?:[^\n]{0,10}\n[^\n]{1,60}?-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?"
        ),
    ),
    Form(
        "PuTTY private key",
        ("private-lines",),
        re.compile(
            r"Private-Lines: \d{1,3}(?:\\n|\s){1,4}"
            r"(?P<value>[A-Za-z0-9+/=]{24,80}(?:(?:\\n|\s){1,4}[A-Za-z0-9+/=]{24,80}){0,60})"
        ),
    ),
    _vendor("Anthropic API key", "sk-ant-", r"sk-ant-[\w-]{20,400}"),
    _vendor("OpenRouter API key", "sk-or-", r"sk-or-[\w-]{20,400}"),
    _vendor("OpenAI API key", "sk-", r"sk-(?!ant-|or-)[\w-]{20,400}"),
    _vendor("Hugging Face token", "hf_ api_org_", r"(?:hf_|api_org_)[A-Za-z0-9]{24,200}"),
    _vendor(
        "GitHub token",
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        r"(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_\w{30,255})",
    ),
    _vendor("GitLab token", "glpat-", r"glpat-[\w-]{20,200}"),
    _vendor("AWS access key id", "akia asia", r"(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    _vendor("Google API key", "aiza", r"AIza[\w-]{35}(?![\w-])"),
    _vendor("Google OAuth token", "ya29.", r"ya29\.[\w-]{20,500}"),
    _vendor("Slack token", "xox", r"xox[abeoprs]-[A-Za-z0-9-]{10,250}"),
    Form(
        "Slack webhook",
        ("hooks.slack.com",),
        re.compile(r"hooks\.slack\.com/services/(?P<value>T\w{6,20}/B\w{6,20}/\w{16,40})"),
    ),
    _vendor("Groq API key", "gsk_", r"gsk_[A-Za-z0-9]{30,100}"),
    _vendor("xAI API key", "xai-", r"xai-[A-Za-z0-9]{40,120}"),
    _vendor("Perplexity API key", "pplx-", r"pplx-[A-Za-z0-9]{30,100}"),
    _vendor("Replicate token", "r8_", r"r8_[A-Za-z0-9]{30,60}"),
    _vendor("NVIDIA API key", "nvapi-", r"nvapi-[\w-]{40,100}"),
    _vendor("Kaggle token", "kgat_", r"KGAT_[A-Za-z0-9]{20,80}"),
    _vendor("Stripe key", "_live_", r"[sr]k_live_[A-Za-z0-9]{16,200}"),
    _vendor("SendGrid API key", "sg.", r"SG\.[\w-]{16,32}\.[\w-]{30,64}"),
    _vendor("npm token", "npm_", r"npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])"),
    _vendor("PyPI token", "pypi-ageicHlwaS5vcmc".lower(), r"pypi-AgEIcHlwaS5vcmc[\w-]{40,400}"),
    _vendor("Telegram bot token", ":aa", r"\d{8,10}:AA[\w-]{33}(?![\w-])"),
    _vendor("DigitalOcean token", "dop_v1_", r"dop_v1_[0-9a-f]{64}"),
    _vendor("Databricks token", "dapi", r"dapi[0-9a-f]{32}(?:-\d)?(?![0-9a-z])"),
    _vendor("Docker Hub token", "dckr_pat_", r"dckr_pat_[\w-]{20,60}"),
    _vendor("Vault token", "hvs.", r"hvs\.[\w-]{24,200}"),
    _vendor("Grafana token", "glsa_", r"glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}"),
    _vendor("LangSmith API key", "lsv2_", r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    _vendor("Tavily API key", "tvly-", r"tvly-(?:dev-)?[A-Za-z0-9]{24,60}"),
    _vendor("Jina API key", "jina_", r"jina_[\w-]{40,100}"),
    _vendor("Cerebras API key", "csk-", r"csk-[a-z0-9]{40,80}"),
    _vendor("Notion token", "ntn_", r"ntn_[A-Za-z0-9]{40,60}"),
    _vendor("Bitbucket app password", "atbb", r"ATBB[A-Za-z0-9]{28,60}(?![A-Za-z0-9])"),
    _vendor("Atlassian token", "atatt3 atctt3", r"AT[AC]TT3[A-Za-z0-9_=-]{40,300}"),
    _vendor("RunPod API key", "rpa_", r"rpa_[A-Z0-9]{32,60}"),
    _vendor("Pinecone API key", "pcsk_", r"pcsk_[A-Za-z0-9_]{36,100}"),
    _vendor("Fireworks API key", "fw_", r"fw_[A-Za-z0-9]{20,40}(?![A-Za-z0-9_])"),
    _vendor("Voyage API key", "pa-", r"pa-[A-Za-z0-9_-]{40,60}"),
    _vendor("Together API key", "tgp_v1_", r"tgp_v1_[\w-]{36,80}"),
    _vendor("ElevenLabs API key", "sk_", r"sk_[0-9a-f]{48}(?![0-9a-z])"),
    _vendor("Weights & Biases API key", "wandb_v1_", r"wandb_v1_[\w-]{30,100}"),
    _vendor("Modal token", "ak- as-", r"a[ks]-[A-Za-z0-9]{22}(?![A-Za-z0-9_-])"),
    _vendor("Mailgun API key", "key-", r"key-[0-9a-z]{32}(?![0-9a-zA-Z])"),
    _vendor("Shopify token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    _vendor("Square token", "sq0", r"sq0(?:atp|csp)-[\w-]{22,50}"),
    _vendor("Brevo API key", "xkeysib-", r"xkeysib-[0-9a-f]{64}-\w{16}"),
    _vendor("Linear API key", "lin_api_", r"lin_api_[A-Za-z0-9]{40}"),
    _vendor("Figma token", "figd_", r"figd_[\w-]{36,60}"),
    _vendor("Sentry token", "sntrys_ sntryu_", r"sntry[su]_[\w=+/-]{40,300}"),
    _vendor("New Relic key", "nrak-", r"NRAK-[A-Z0-9]{27}"),
    _vendor("Postman API key", "pmak-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    _vendor("PlanetScale token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[\w.-]{32,64}"),
    _vendor("Doppler token", "dp.pt. dp.st.", r"dp\.(?:pt|st)\.[\w.-]{40,60}"),
    _vendor("Tailscale key", "tskey-", r"tskey-\w{3,8}-[\w-]{20,80}"),
    _vendor("PostHog key", "phx_", r"phx_[A-Za-z0-9]{40,60}"),
    _vendor("Airtable token", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    _vendor("Google OAuth secret", "gocspx-", r"GOCSPX-[\w-]{28}"),
    _vendor("HashiCorp token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}"),
    _vendor("Age key", "age-secret-key-1", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    Form(
        "Telegram bot token",
        ("api.telegram.org/bot",),
        re.compile(r"api\.telegram\.org/bot(?P<value>\d{8,10}:[\w-]{30,50})"),
    ),
    Form(
        "key of a storage account",
        ("accountkey=",),
        re.compile(r"AccountKey=(?P<value>[A-Za-z0-9+/]{40,100}={0,2})"),
    ),
    Form(
        "Discord webhook",
        ("api/webhooks/",),
        re.compile(r"discord(?:app)?\.com/api/webhooks/\d{10,25}/(?P<value>[\w-]{50,100})"),
    ),
    # Signatures of hours and more: addresses that stores of public files sign for minutes, which
    # downloads print, open nothing of anybody's.
    Form(
        "signature of a storage address",
        ("sig=",),
        re.compile(
            r"(?:\.core\.windows\.net/[^\s\"'<>]{0,600}?[?&]|(?:^|[\s\"'=])\??sv=20\d\d-\d\d-\d\d&"
            r"(?:[^\s\"'<>]{0,400}?&)?)sig=(?P<value>[A-Za-z0-9%+/=_-]{30,200})",
            re.MULTILINE,
        ),
    ),
    Form(
        "signature of a storage address",
        ("x-amz-signature", "x-goog-signature"),
        re.compile(
            r"(?:amazonaws\.com|storage\.googleapis\.com)/(?!kaggle)[^\s\"'<>]{0,2000}?X-\w+-Expires="
            r"(?:[4-9]\d{3}|\d{5,6})\b[^\s\"'<>]{0,2000}?X-\w+-Signature=(?P<value>[0-9a-f]{64,1024})"
        ),
    ),
    _vendor("JSON web token", "eyj", r"eyJ[\w-]{10,4000}\.eyJ[\w-]{10,4000}\.[\w-]{10,1000}"),
    Form(
        "Kaggle API key",
        ("username",),
        re.compile(
            r"username\\{0,3}[\"']?\s{0,3}[:=]\s{0,3}\\{0,3}[\"'][\w.-]{1,60}\\{0,3}[\"'],?\s{0,40}"
            r"\\{0,3}[\"']?key\\{0,3}[\"']?\s{0,3}[:=]\s{0,3}\\{0,3}[\"'](?P<value>[0-9a-f]{32})\b"
        ),
    ),
    Form(
        "password of a command",
        ("-u ", "--user", "--proxy-user"),
        re.compile(
            r"(?<!\S)(?:-u|--user|--proxy-user)[ =]\\{0,3}[\"']?[\w.@-]{1,60}:"
            r"(?P<value>[^\s\"'$<>{}\\]{8,200})"
        ),
        is_certain=False,
    ),
    Form(
        "password of a command",
        (
            "sshpass",
            "docker",
            "podman",
            "mysql",
            "mariadb",
            "redis-cli",
            "lftp",
            "smbclient",
            "openssl",
            "unzip",
            "7z",
        ),
        re.compile(
            r"(?:\bsshpass\s{1,3}-p\s{0,2}|\b(?:docker|podman)\s{1,3}login\b[^\n|;&]{0,200}?\s"
            r"(?:-p|--password)[ =]|\b(?:mysql|mariadb|mysqldump)\b[^\n|;&]{0,200}?\s-p|"
            r"\bredis-cli\b[^\n|;&]{0,200}?\s-a\s|\blftp\b[^\n|;&]{0,100}?\s-u\s{1,3}[\w.@-]{1,60},|"
            r"\b(?:smbclient|smbget|rpcclient)\b[^\n|;&]{0,200}?\s-U\s{0,3}\\{0,3}[\"']?[\w.@-]{1,60}%|"
            r"\bopenssl\b[^\n|;&]{0,200}?\spass:|\bunzip\b[^\n|;&]{0,60}?\s-P\s{1,3}|"
            r"\b7z\w?\s[^\n|;&]{0,100}?(?<!\S)-p)\\{0,3}[\"']?"
            r"(?P<value>[^\s\"'$<>{}\\]{8,100})"
        ),
        is_certain=False,
    ),
    Form(
        "password of an option",
        ("--pass",),
        re.compile(r"\s--pass(?:word|phrase|wd)[ =]\\{0,3}[\"']?(?P<value>[^\s\"'$<>{}\\]{8,100})"),
        is_certain=False,
    ),
    Form(
        "password on an input",
        ("sudo", "chpasswd", "stdin", "--with-token", "passphrase-fd"),
        re.compile(
            r"\b(?:echo|printf)\s{1,3}(?:-n\s{1,3})?(?:'%s\\{0,2}n?'\s{1,3})?\\{0,3}[\"']?(?:[\w.-]{1,40}:)?"
            r"(?P<value>[^\s\"'$<>{}\\|:]{8,200})\\{0,3}[\"']?\s{0,3}\|\s{0,3}(?:sudo\s(?:[\w-]{1,20}\s)?-S\b|"
            r"(?:sudo\s)?chpasswd|[^\n|;]{1,200}--(?:password-stdin|with-token|passphrase-fd|token-stdin))"
        ),
        is_certain=False,
    ),
    Form(
        "password of a data base",
        (":",),
        re.compile(
            r"^[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w*-]{1,60}:[\w*-]{1,60}:(?P<value>[^\s:\"']{8,100})$",
            re.MULTILINE,
        ),
        is_certain=False,
    ),
    Form(
        "password behind its name",
        ("passw", "pwd", "passphrase", "secret"),
        re.compile(
            r"(?:passw(?:or)?d|passwd|passphrase|\bpwd|\bsecret)\\{0,3}[\"'\])]{0,2}\s{0,3}"
            r"(?:[:=]|=>|<-)\s{0,3}\\{0,3}(?P<mark>[\"'])(?P<value>[^\s\"'\\]{8,100})\\{0,3}(?P=mark)",
            re.IGNORECASE,
        ),
        is_certain=False,
    ),
    Form(
        "password behind its name",
        ("password", "passwd", "pwd="),
        re.compile(
            r"(?:\blogin\s{1,8}\S{1,60}\s{1,8}password\s{1,3}|<(?:password|passwd)>|"
            r"^\s{0,8}password\s{1,3}(?=\S{8,100}$)|"
            r"[A-Z]{2,30}_?(?-i:PASSWORD|PASSWD)=|\bidentified\s+by\s+['\"]|"
            r"[;\"']\s?pwd=|"
            r"\bpassword\s{0,3}=\s{0,3}(?=[^\s\"'();,\\]{8,100}(?:[\s;\"'\\&,]|$)))"
            r"(?P<value>[^\s\"'<>();,\\]{8,100})",
            re.IGNORECASE | re.MULTILINE,
        ),
        is_certain=False,
    ),
    Form(
        "password behind its name",
        ("sshpass=", "_pwd=", "_pass="),
        re.compile(
            r"\b(?:SSHPASS|(?!OLD)[A-Z][A-Z0-9_]{1,30}_(?:PWD|PASS))=\\{0,3}[\"']?(?![/~.$])"
            r"(?P<value>[^\s\"'<>();,\\]{8,100})"
        ),
        is_certain=False,
    ),
    Form(
        "password behind its name",
        ("pass", "pwd"),
        re.compile(
            r"^[ \t-]{0,20}[\w.-]{0,40}(?:pass(?:word|wd|phrase)?|pwd):[ \t]{1,8}"
            r"(?P<value>[^\s\"'$<>{}(),;]{8,100})[ \t]*$",
            re.IGNORECASE | re.MULTILINE,
        ),
        is_certain=False,
    ),
    Form(
        "value named as a key",
        ("key", "token", "secret"),
        re.compile(
            r"(?:api|secret|access|auth)[_-]?(?:key|token|secret)[\"'\]]{0,2}\s{0,3}[:=]\s{0,3}[\"']"
            r"(?P<value>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[\"']",
            re.IGNORECASE,
        ),
        is_certain=False,
    ),
    Form(
        "password of a call",
        ("login(", "auth", "client(", "ftp(", "ftp_tls("),
        re.compile(
            r"(?:\.login\(|\bauth\s{0,2}=\s{0,2}\(|(?:Basic|Digest)Auth\(|\bClient\()\s{0,3}"
            r"[\"'][^\s\"']{1,80}[\"']\s{0,3},\s{0,3}[\"'](?P<value>[^\s\"'\\]{8,100})[\"']|"
            r"\bFTP(?:_TLS)?\((?:\s{0,3}[\"'][^\s\"']{1,80}[\"'],){2}\s{0,3}[\"'](?P<word>[^\s\"'\\]{8,100})[\"']"
        ),
        is_certain=False,
    ),
    Form(
        "value named as a key",
        ("%s",),
        re.compile(
            r"\bkey\\{0,3}[\"']?:\s?\\{0,3}[\"']?%s[^\n%]{1,30}\s[\w.-]{1,40}\s{1,3}\\{0,3}[\"']?"
            r"(?P<value>[0-9a-f]{32})\b"
        ),
        is_certain=False,
    ),
    Form(
        "cookie of a session",
        ("cookie",),
        re.compile(
            r"cookie[\"']?\s{0,2}[:=]\s{0,2}[\"']?[^\n\"']{0,200}?\b(?:session(?:_?id)?|sid|auth|"
            r"[\w-]{0,20}token|jwt)=(?P<value>[A-Za-z0-9%._-]{24,400})",
            re.IGNORECASE,
        ),
        is_certain=False,
    ),
    Form(
        "token in an address",
        ("://",),
        re.compile(r"(?<![a-z])https?://(?P<value>[A-Za-z0-9_-]{24,120})@[\w-]+(?:\.[\w-]+)+"),
        is_certain=False,
    ),
    Form(
        "Teams webhook",
        ("webhook.office.com",),
        re.compile(
            r"webhook\.office\.com/webhookb2/"
            r"(?P<value>[0-9a-f@-]{70,80}/\w{1,40}/[0-9a-f]{32}/[0-9a-f-]{36})"
        ),
    ),
    Form(
        "password in an address",
        ("://",),
        re.compile(
            r"(?<![a-z])[a-z]{2,10}://(?P<user>[^\s:/@\"']{0,100}):"
            r"(?!(?P=user)@)(?P<value>[^\s/@\"'<>{}$]{6,200})@"  # the user's name guards nothing
        ),
        is_certain=False,
    ),
)
