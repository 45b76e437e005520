"""Names are known by where they stand, and replaced wherever else they stand; evidence stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.disguise import Disguise


def shown(*texts: str, roots=()) -> list[str]:
    disguise = Disguise()
    for root in roots:
        disguise.root(root)
    for text in texts:
        disguise.learn(text)
    return [disguise.replace(text) for text in texts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("/home/alice/proj/x.py:12", "folder-1/x.py:12", id="home"),
        pytest.param("open('/mnt/lab/x.csv')", "open('folder-1/x.csv')", id="quoted-path"),
        pytest.param("PATH=/usr/bin:/srv/lab/bin", "PATH=/usr/bin:folder-1/bin", id="path-list"),
        pytest.param("file:///srv/team/x.txt", "file://folder-1/x.txt", id="file-address"),
        pytest.param(r"C:\Users\carol\d\x.csv", "folder-1/x.csv", id="windows"),
        pytest.param("/Users/carol/x.py", "folder-1/x.py", id="macos"),
        pytest.param("%2Fhome%2Falice%2Fx", "%2Fhome%2Fuser-1%2Fx", id="escaped-path"),
        pytest.param("alice@gpu01:~/runs$ ls", "user-1@host-1:~/runs$ ls", id="prompt"),
        pytest.param("[alice@box runs]$ ls", "[user-1@host-1 runs]$ ls", id="prompt-in-brackets"),
        pytest.param("scp x bob@box:/data/y", "scp x user-1@host-1:folder-1/y", id="scp"),
        pytest.param("ssh -p 22 bob@n7", "ssh -p 22 user-1@host-1", id="ssh"),
        pytest.param("USER=alice HOSTNAME=gpu01", "USER=user-1 HOSTNAME=host-1", id="environment"),
        pytest.param('{"user": "alice"}', '{"user": "user-1"}', id="json"),
        pytest.param("uid=1000(alice)", "uid=1000(user-1)", id="id"),
        pytest.param("-rw-r--r-- 1 dave lab 4 x", "-rw-r--r-- 1 user-1 lab 4 x", id="listing"),
        pytest.param("Linux gpu01 5.15.0-91", "Linux host-1 5.15.0-91", id="uname"),
        pytest.param("mail a.b@uni.edu now", "mail email-1 now", id="e-mail"),
        pytest.param("https://bob:pw@x.com/x", "https://x.com/x", id="user-of-an-address"),
        pytest.param("http://queue:80/jobs", "http://host-1:80/jobs", id="host-of-an-address"),
        pytest.param("from 10.0.0.5:22 to fe80::1ff:fe23:4567:890a", "from ip-1:22 to ip-2",
                     id="addresses"),
        pytest.param("/home/özlem/x Özlem", "folder-1/x user-1", id="first-letter-with-a-mark"),
        pytest.param("/home/7zq/x 7zq", "folder-1/x user-1", id="first-letter-a-digit"),
        pytest.param("/home/jürgen/x ju\u0308rgen", "folder-1/x user-1", id="mark-apart"),
        pytest.param("/home/jürgen/x ?u=J%C3%BCrgen", "folder-1/x ?u=user-1", id="in-an-address"),
        pytest.param(r"/home/jürgen/x 'j\u00fcrgen'", "folder-1/x 'user-1'", id="as-json-has-it"),
        pytest.param("%2Fhome%2Fj%C3%BCrgen%2Fx jürgen", "%2Fhome%2Fuser-1%2Fx user-1",
                     id="learnt-from-an-address"),
        pytest.param(r"'\/home\/j\u00fcrgen\/x' jürgen", r"'\/home\/user-1\/x' user-1",
                     id="learnt-from-json"),
        pytest.param(r"C:\Users\Ann Lee\Desktop\x", r"folder-1/user-1\Desktop\x", id="two-words"),
        pytest.param("Author: Ann Lee <a@b.edu>", "Author: user-1 <email-1>", id="of-a-commit"),
        pytest.param("$ whoami\nalice\n$ hostname\nbox", "$ whoami\nuser-1\n$ hostname\nhost-1",
                     id="asked-for"),
        pytest.param("SLURM_JOB_USER=al SLURM_SUBMIT_HOST=login", "SLURM_JOB_USER=user-1 "
                     "SLURM_SUBMIT_HOST=host-1", id="cluster"),
        pytest.param("logged in as: alice", "logged in as: user-1", id="login"),
        pytest.param("ether 02:42:ac:11:00:02", "ether host-1", id="network-card"),
    ],
)  # fmt: skip
def test_users_hosts_and_places_are_replaced(text, expected):
    assert shown(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("cat /private/data/answers.csv", id="answers"),
        pytest.param("pd.read_csv('/home/data/train.csv')", id="data-of-the-contract"),
        pytest.param("/home/submission/submission.csv", id="submission-of-the-contract"),
        pytest.param("/usr/lib/python3/os.py /proc/1/environ", id="system"),
        pytest.param("GET /api/v1/competitions", id="path-of-a-request"),
        pytest.param("https://www.kaggle.com/code/alice/x", id="public-address"),
        pytest.param("http://localhost:5000/validate 127.0.0.1", id="this-machine"),
        pytest.param("code/main.py:3 and logs/agent.log", id="relative-paths"),
        pytest.param("y = X @ W; z = weights@inputs.T", id="matrix-product"),
        pytest.param("USER: Please train the model", id="a-turn-of-a-talk"),
        pytest.param("a[1::2], std::sort, 12:34:56", id="colons"),
        pytest.param("echo whoami\npwd", id="a-list-of-commands"),
        pytest.param("sha1 02:42:ac:11:00:02:aa:bb:cc:dd", id="longer-than-a-network-card"),
        pytest.param(r"100%20of 50%C3 '\u00e9'", id="escapes-without-a-name"),
        pytest.param("f'{root}/a/b.csv'", id="path-put-together"),
        pytest.param("x = a / b / c; </div> 3/4", id="slashes"),
        pytest.param("templates/home/index.html", id="a-page-called-home"),
        pytest.param("@property def user(self): ...", id="decorator"),
    ],
)
def test_evidence_that_names_nobody_stays_as_it_is(text):
    assert shown(text) == [text]


@pytest.mark.parametrize("piece", ["\n", "\\", "/", " ", "$ whoami\n", "A_", "user.name = 'A "])
def test_long_runs_of_one_thing_are_looked_through_once(piece):
    assert shown(piece * (200_000 // len(piece))) != []


def test_words_after_a_home_folder_are_no_name():
    assert shown("in /Users/bob and/or elsewhere", "and Bob and")[1] == "and user-1 and"


def test_a_name_that_one_text_tells_is_replaced_in_all():
    told, runs, sentence = shown("/home/alice/x/y", "alice_runs/a.csv", "Alice and malice")

    assert (told, runs) == ("folder-1/y", "user-1_runs/a.csv")
    assert sentence == "user-1 and malice"


def test_paths_below_a_known_folder_stay_followable():
    assert shown("/data/lab 7/runs/g/a_1/code/x.py", roots=["/data/lab 7/runs/g"]) == [
        "folder-1/a_1/code/x.py"
    ]


def test_placeholders_that_stand_there_already_are_given_to_nobody():
    assert shown("user-1 is here", "/home/alice/x/y alice") == [
        "user-1 is here",
        "folder-1/y user-2",
    ]


NAMES = st.from_regex(r"[b-df-hj-np-tv-xz]{5,9}[a-z0-9]", fullmatch=True)
FORMS = (
    "/home/{user}/{folder}/x.py",
    "/mnt/{folder}/{user}/x.csv",
    "/Users/{user}/{folder}/",
    "{user}@{host}:~/{user}$ python x.py",
    "[{user}@{host} /srv/{folder}/w]# ls",
    "ssh {user}@{host}.lab.example.org",
    "{user}@{host}.example.com",
    "https://{user}:secret@{host}.internal:8080/x",
    "USER={user}\nHOSTNAME={host}\n",
    "drwxr-xr-x 2 {user} {user} 4096 Jan 1 00:00 runs",
    '{{"username": "{user}", "hostname": "{host}"}}',
    r"C:\Users\{user}\{folder}\x",
    "open('/scratch/{folder}/{user}/m.pkl')",
    "uid=1000({user}) gid=1000({user})",
)


@given(NAMES, NAMES, NAMES, st.lists(st.sampled_from(FORMS), min_size=1), st.text())
def test_no_planted_name_survives(user, host, folder, forms, around):
    disguise = Disguise()
    # Each is told once by a form that tells it; a folder only ever stands in paths.
    texts = [FORMS[0], FORMS[3], *forms, "{user} ran {user}_{host}", f"{{user}}\n{around}"]
    texts = [t.replace("{user}", user).replace("{host}", host).replace("{folder}", folder)
             for t in texts]  # fmt: skip
    for text in texts:
        disguise.learn(text)
    seen = "\n".join(map(disguise.replace, texts)).lower()

    assert user not in seen.replace(around.lower(), "")
    assert host not in seen.replace(around.lower(), "")
    assert folder not in seen.replace(around.lower(), "")


@given(st.lists(st.sampled_from(FORMS) | st.text()))
def test_what_was_disguised_stays_as_it_is(texts):
    once = shown(*texts)

    assert shown(*once) == once
