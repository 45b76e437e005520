"""Telling a command line from prose."""

from __future__ import annotations

import re


def looks_like_command(text: str) -> bool:
    """Say whether a text is a command line rather than prose, by its first word.

    Examples
    --------
    >>> looks_like_command("cat /etc/hosts"), looks_like_command("Explain what /private is")
    (True, False)
    """
    words = [w for w in text.split() if w != "sudo" and not re.match(r"^\w+=", w)]
    if not words:
        return "=" in text
    first = words[0].strip("(\"'")
    return (
        first in _COMMANDS or first.startswith(("/", "./", "~/")) or first.endswith((".sh", ".py"))
    )


_COMMANDS = frozenset(
    re.findall(
        r"\S+",
        """ls cat head tail less more find locate grep egrep rg ag cp mv ln tar zip unzip gunzip
        gzip zcat 7z stat file wc awk sed cut sort uniq diff xxd od hexdump strings base64
        python python3 ipython pip pip3 conda bash sh zsh cd pwd env printenv set export source
        echo printf mount umount df du lsblk findmnt ps top kill id whoami uname hostname which
        whereis type curl wget git nvidia-smi free nproc lscpu mkdir touch rm chmod chown tree
        xargs tee test dd rsync scp ssh sqlite3 jq perl ruby node npm R Rscript julia timeout
        nohup time watch apt apt-get readlink realpath lsof strace nsenter unshare chroot docker
        kubectl debugfs losetup blkid fdisk getent openssl for while if gcloud aws az oci sbatch
        srun salloc helm kaggle huggingface-cli uv mamba apk dnf yum rocm-smi amd-smi gpustat
        jupyter torchrun mlebench mle-bench duckdb paste""",
    )
)
