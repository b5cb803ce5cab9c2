"""Git commands with fixed settings, and a .gltf with its buffer to commit."""

import os
import subprocess

from tests.support.character_versions import character

LOCAL = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")


def git(*arguments):
    alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.autocrlf=false")
    ran = subprocess.run(
        ["git", *who, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | alone,
    )
    return ran.stdout


def write_gltf(folder, name="hero.gltf", buffer="hero.bin", **changes):
    """A .gltf with its buffer beside it."""
    b = character(**changes)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(b.gltf(buffer.replace(" ", "%20")))
    (folder / buffer).write_bytes(bytes(b.blob))
