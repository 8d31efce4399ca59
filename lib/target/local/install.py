"""Installs the local target into a private virtual environment, whole or not at all.

Arguments: the environment's folder, the lock file, its checksum. Two installs at once wait for each other;
what an interrupted one left behind is removed. Progress: nothing; result: exit code and pip's output.
"""

import fcntl
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import venv

MARKER = "headrace-lock.sha256"


def is_complete(folder, checksum):
    try:
        with open(os.path.join(folder, MARKER)) as file:
            return file.read() == checksum and os.path.exists(os.path.join(folder, "bin", "python"))
    except OSError:
        return False


def run_pip(folder, lock_file):
    command = ["-m", "pip", "install", "--require-hashes", "--only-binary", ":all:", "--no-compile"]
    quiet = ["--quiet", "--no-input", "--disable-pip-version-check", "--retries", "2"]
    python = os.path.join(folder, "bin", "python")
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONHOME", "PYTHONPATH", "PIP_TARGET", "PIP_PREFIX")}
    env["PIP_USER"] = "0"
    return subprocess.run([python, *command, *quiet, "-r", lock_file], env=env).returncode


def install(folder, lock_file, checksum):
    parent, name = os.path.split(folder)
    for left_over in glob.glob(os.path.join(parent, "building-*")):
        shutil.rmtree(left_over, ignore_errors=True)
    building = tempfile.mkdtemp(prefix="building-", dir=parent)
    try:
        venv.create(building, with_pip=True, symlinks=True)
        code = run_pip(building, lock_file)
        if code != 0:
            return code
        with open(os.path.join(building, MARKER), "w") as file:
            file.write(checksum)
        if os.path.lexists(folder):
            shutil.rmtree(folder)
        os.rename(building, folder)
        return 0
    finally:
        shutil.rmtree(building, ignore_errors=True)


def main():
    folder, lock_file, checksum = sys.argv[1:4]
    with open(os.path.join(os.path.dirname(folder), "install.lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return 0 if is_complete(folder, checksum) else install(folder, lock_file, checksum)


if __name__ == "__main__":
    sys.exit(main())
