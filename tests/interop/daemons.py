"""Real daemons for a test: each in its own directory, on free ports, ended with the test."""

import os
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import redis

SLOTD = os.environ["SLOTD"]
SLOTCTL = os.environ["SLOTCTL"]
LIMIT = 30.0


def wait_until(condition, what, limit=LIMIT):
    """Asks again and again; what it waits for is a condition, never a time."""
    deadline = time.monotonic() + limit
    while True:
        try:
            value = condition()
        except (redis.RedisError, OSError):
            value = None
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError("still not: " + what)
        select.select([], [], [], 0.01)


def free_ports():
    """A client port whose bus port, 10000 above, is free too: redis-cli takes that for granted."""
    while True:
        with socket.socket() as client, socket.socket() as bus:
            client.bind(("127.0.0.1", 0))
            port = client.getsockname()[1]
            if port > 55000:
                continue
            try:
                bus.bind(("127.0.0.1", port + 10000))
            except OSError:
                continue
            return port


class Daemon:
    def __init__(self, directory, *directives):
        self.directory = directory
        self.port = free_ports()
        self.directives = directives
        self.process = None
        os.makedirs(directory, exist_ok=True)

    def command_line(self, *more):
        return [SLOTD, "--port", str(self.port), "--dir", self.directory,
                "--cluster-node-timeout", "3000", *self.directives, *more]

    def start(self, *more):
        with open(self.directory + ".log", "ab") as log:
            self.process = subprocess.Popen(self.command_line(*more), stdout=log, stderr=log)
        wait_until(lambda: self.client().ping(), "the daemon answers")
        return self

    def kill(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        self.process.wait()

    def client(self):
        return redis.Redis(port=self.port, decode_responses=True, socket_timeout=10)

    def cluster(self, *words):
        """The reply as the server gives it, without the library's own reading of it."""
        link = redis.Connection(port=self.port, decode_responses=True, socket_timeout=10)
        try:
            link.send_command("CLUSTER", *words)
            return link.read_response()
        finally:
            link.disconnect()

    def info(self):
        lines = self.cluster("INFO").splitlines()
        return dict(line.split(":", 1) for line in lines if ":" in line)

    def log(self):
        with open(self.directory + ".log", encoding="utf-8") as log:
            return log.read()


class Cluster:
    """Use as a context: the daemons end and their directories go when it is left."""

    def __init__(self, size=3, *directives):
        self.root = tempfile.mkdtemp(prefix="slotd-test-")
        self.daemons = [Daemon(f"{self.root}/{i}", *directives) for i in range(size)]

    def __enter__(self):
        for daemon in self.daemons:
            daemon.start()
        return self

    def __exit__(self, *_):
        for daemon in self.daemons:
            if daemon.process and daemon.process.poll() is None:
                daemon.kill()
        shutil.rmtree(self.root, ignore_errors=True)

    def addresses(self):
        return [f"127.0.0.1:{daemon.port}" for daemon in self.daemons]

    def create(self):
        run(SLOTCTL, "create", *self.addresses(), "--yes")
        return self

    def all_ok(self):
        return all(daemon.info()["cluster_state"] == "ok" for daemon in self.daemons)

    def one_digest(self):
        return len({daemon.info()["cluster_view_digest"] for daemon in self.daemons}) == 1


def run(*command, code=0, text=None):
    """Runs a program that must end with this exit code; returns what it printed on stdout."""
    done = subprocess.run(command, capture_output=True, text=True, input=text, timeout=120,
                          check=False)
    if done.returncode != code:
        raise AssertionError(f"{command} ended with {done.returncode}, not {code}:\n"
                             f"{done.stdout}{done.stderr}")
    return done.stdout
