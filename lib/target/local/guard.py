"""Keeps one local target: at most one for a folder, and never longer than wanted.

The server runs as a child in its own process group. The guard ends it, with every process it started, when
the owner's end of standard input closes (also by SIGKILL of the owner), or on SIGTERM, SIGINT or SIGHUP. The
line "keep" on standard input lets the target outlive its owner. If the guard itself is killed, the server
sees its lifeline close and takes its group with it.

Arguments: the folder of the target, the token of this start. Exit code 75: another guard has the folder.
"""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import threading

FOLDER_TAKEN = 75
# Saving what is kept takes a moment; what keeps nothing has nothing to do.
GRACE_SECONDS = 30.0 if os.environ.get("PERSIST_STATE") == "1" else 2.0


def take_folder(folder):
    lock = open(os.path.join(folder, "target.lock"), "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(FOLDER_TAKEN)
    except OSError:
        pass  # a file system without locks: the port and the token still tell two targets apart
    return lock


def watch_owner(done):
    for line in sys.stdin.buffer:
        if line.strip() == b"keep":
            return
    done.set()


def watch_server(server, done):
    server.wait()
    done.set()


def with_descendants(group):
    """The processes of a group and all below them, by the process table; also those that left the group."""
    command = ["ps", "-A", "-o", "pid=,ppid=,pgid="]
    try:
        table = subprocess.run(command, capture_output=True, text=True, timeout=2).stdout
    except (OSError, subprocess.SubprocessError):
        return []  # no ps here: the group itself is still killed
    children, found = {}, []
    for pid, parent, its_group in (map(int, line.split()) for line in table.splitlines()):
        children.setdefault(parent, []).append(pid)
        if its_group == group:
            found.append(pid)
    queue = list(found)
    while queue:
        below = children.get(queue.pop(), [])
        found += below
        queue += below
    return found


def kill(send, number):
    try:
        send(number, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def end_server(server):
    all_of_it = with_descendants(server.pid)
    if server.poll() is None:
        server.terminate()
        try:
            server.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            pass
    kill(os.killpg, server.pid)
    for pid in all_of_it:
        if pid != server.pid:
            kill(os.kill, pid)
    server.wait()


def forget(folder, token):
    shutil.rmtree(os.path.join(folder, "tmp"), ignore_errors=True)
    state = os.path.join(folder, "target.json")
    try:
        with open(state) as file:
            ours = json.load(file).get("token") == token
        if ours:
            os.remove(state)
    except (OSError, ValueError):
        pass


def main():
    folder, token = sys.argv[1:3]
    lock = take_folder(folder)
    done = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: done.set())

    shutil.rmtree(os.path.join(folder, "tmp"), ignore_errors=True)
    os.makedirs(os.path.join(folder, "tmp"))
    os.ftruncate(1, 0)
    server = subprocess.Popen(
        [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "server.py"), token],
        stdin=subprocess.PIPE,
        start_new_session=True,
    )
    for watch, argument in ((watch_owner, ()), (watch_server, (server,))):
        threading.Thread(target=watch, args=(*argument, done), daemon=True).start()

    done.wait()
    code = server.poll()
    end_server(server)
    forget(folder, token)
    lock.close()
    # Not sys.exit: a thread still blocked on standard input would hold up the interpreter's shutdown.
    os._exit(0 if code is None else code if code > 0 else 1)


if __name__ == "__main__":
    main()
