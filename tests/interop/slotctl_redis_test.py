"""slotctl against real Redis clusters: what it says, what it changes, and how it goes on after a
move that was cut off. The servers run on free ports in a directory of their own and end with the
test."""

import json
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import unittest

SLOTCTL = os.environ["SLOTCTL"]
LIMIT = 30  # seconds until a condition must hold


def wait_until(holds, what):
    tick = threading.Event()
    end = time.monotonic() + LIMIT
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f"not within {LIMIT} s: {what}")
        tick.wait(0.02)


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class RedisServers:
    def __init__(self, count):
        self.directory = tempfile.mkdtemp(prefix="slotctl-redis-")
        self.processes = {}
        ports = free_ports(2 * count)
        self.ports = ports[:count]
        for port, bus_port in zip(self.ports, ports[count:]):
            self.start(port, bus_port)
        for port in self.ports:
            wait_until(lambda: self.cli(port, "PING") == "PONG", f"redis-server on {port} answers")

    def start(self, port, bus_port):
        home = os.path.join(self.directory, str(port))
        os.mkdir(home)
        with open(os.path.join(home, "log"), "w") as log:
            self.processes[port] = subprocess.Popen(
                ["redis-server", "--port", str(port), "--cluster-port", str(bus_port),
                 "--bind", "127.0.0.1", "--dir", home, "--cluster-enabled", "yes", "--save", "",
                 "--cluster-node-timeout", "3000"], stdout=log, stderr=log)

    def stop(self, port):
        process = self.processes.pop(port)
        process.kill()
        process.wait()

    def close(self):
        for port in list(self.processes):
            self.stop(port)
        shutil.rmtree(self.directory)

    def cli(self, port, *words):
        done = subprocess.run(["redis-cli", "-p", str(port), *map(str, words)],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.stdout.decode(errors="replace").rstrip("\n")

    def id(self, port):
        return self.cli(port, "CLUSTER", "MYID")


def address(port):
    return f"127.0.0.1:{port}"


class SlotctlCase(unittest.TestCase):
    servers = None

    def run_slotctl(self, *words, code=0, env=None):
        done = subprocess.run([SLOTCTL, *map(str, words)], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
                              env={**os.environ, **(env or {})})
        out, err = (text.decode(errors="replace") for text in (done.stdout, done.stderr))
        self.assertEqual(done.returncode, code, f"slotctl {words}\n{out}\n{err}")
        return out, err

    def run_json(self, *words, code=0):
        out, _ = self.run_slotctl(*words, "--json", code=code)
        return json.loads(out)  # all of stdout is one document

    def say(self, *words, code=0):
        """A command to the cluster of this case."""
        seed = address(self.servers.ports[0])
        return self.run_slotctl(words[0], "-a", seed, *words[1:], code=code)

    def ask(self, *words, code=0):
        return self.run_json(words[0], "-a", address(self.servers.ports[0]), *words[1:], code=code)

    def findings(self, code=5):
        return {f["finding"] for f in self.ask("check", code=code)["findings"]}

    def cli(self, *words):
        return self.servers.cli(*words)


class Usage(SlotctlCase):
    def test_wrong_usage_is_refused_with_a_document(self):
        self.assertIn("error", self.run_json("nodes", "--no-such-option", code=2))
        self.run_slotctl("no-such-command", code=2)
        self.run_slotctl("migrate", "99999", "--to", "x", code=2)
        self.run_slotctl("migrate", "5-4", "--to", "x", code=2)

    def test_an_address_where_nobody_listens(self):
        port, = free_ports(1)
        for command in ("nodes", "map", "check", "wait", "heartbeats"):
            self.assertIn("error", self.run_json(command, "-a", address(port), code=4))

    def test_each_help_ends_with_an_example(self):
        commands = ("create add-node forget assign unassign nodes map slot heartbeats check "
                    "migrate wait load verify demo").split()
        for command in commands:
            out, _ = self.run_slotctl(command, "--help")
            self.assertIn(f"Example:\n  slotctl {command}", out)
        self.assertIn("Exit codes:", self.run_slotctl("--help")[0])

    def test_the_slot_of_a_key_needs_no_cluster(self):
        nowhere = {"SLOTD_LOCAL_DIR": "/nonexistent"}
        out, _ = self.run_slotctl("slot", "--json", "foo", "user:{42}:name", env=nowhere)
        keys = json.loads(out)["keys"]
        self.assertEqual([k["slot"] for k in keys], [12182, 8000])
        self.assertEqual(keys[1]["hashed"], "42")


class Creation(SlotctlCase):
    def setUp(self):
        self.servers = RedisServers(4)
        self.addCleanup(self.servers.close)
        self.three = [address(p) for p in self.servers.ports[:3]]

    def test_a_cluster_is_created_grown_and_shrunk(self):
        ports = self.servers.ports
        self.run_slotctl("create", *self.three, code=2)  # no terminal and no --yes
        plan = self.run_json("create", *self.three, "--dry-run")
        self.assertFalse(plan["created"])
        self.assertEqual([n["slots"] for n in plan["nodes"]],
                         ["0-5460", "5461-10921", "10922-16383"])
        self.assertNotIn("0-5460", self.cli(ports[0], "CLUSTER", "NODES"))
        self.run_slotctl("create", self.three[0], self.three[0], "--yes", code=2)

        self.assertTrue(self.run_json("create", *self.three, "--yes")["created"])
        for port in ports[:3]:
            self.assertIn("cluster_state:ok", self.cli(port, "CLUSTER", "INFO"))
        _, err = self.run_slotctl("create", *self.three, "--yes", code=2)
        self.assertIn("is in a cluster of 3 nodes", err)

        fresh = address(ports[3])
        self.assertFalse(self.ask("add-node", fresh, "--dry-run")["added"])
        self.assertEqual(self.ask("add-node", fresh, "--yes")["members"], 4)
        self.say("wait")  # Redis lets a node that joins serve two seconds later
        self.assertEqual(self.findings(), {"empty master"})
        self.say("forget", self.three[1], "--yes", code=2)  # owns slots
        self.assertFalse(self.ask("forget", fresh, "--dry-run")["removed"])
        self.assertEqual(self.ask("forget", fresh, "--yes")["told"], 3)
        self.assertEqual(len(self.ask("nodes")["nodes"]), 3)
        self.say("wait")
        self.findings(code=0)

    def test_what_holds_keys_or_slots_is_not_taken(self):
        self.cli(self.servers.ports[1], "CLUSTER", "ADDSLOTSRANGE", 7, 9)
        _, err = self.run_slotctl("create", *self.three, "--yes", code=2)
        self.assertIn(f"{self.three[1]} has slots 7-9", err)


class Work(SlotctlCase):
    """One cluster of three for all tests; each leaves it whole."""

    @classmethod
    def setUpClass(cls):
        cls.servers = RedisServers(3)
        cls.addClassCleanup(cls.servers.close)
        subprocess.run([SLOTCTL, "create", "--yes", *map(address, cls.servers.ports)], check=True,
                       stdout=subprocess.DEVNULL)

    def tearDown(self):
        for port in self.servers.ports:
            self.cli(port, "FLUSHALL")

    def words(self, lines):
        path = os.path.join(self.servers.directory, "words")
        with open(path, "wb") as out:
            out.write(b"".join(line + b"\n" for line in lines))
        return path

    def owner(self, slot):
        """Who owns a slot, by what every node says."""
        found = set()
        for port in self.servers.ports:
            nodes = self.run_json("map", "-a", address(port))["owners"]
            found.update(o["id"] for o in nodes for a, b in o["ranges"] if a <= slot <= b)
        return found

    def owner_port(self, slot):
        owners = self.owner(slot)
        return next(p for p in self.servers.ports if {self.servers.id(p)} == owners)

    def other_ports(self, port):
        return [p for p in self.servers.ports if p != port]

    def move(self, slots, target, *more, code=0):
        return self.say("migrate", slots, "--to", address(target), "--yes", *more, code=code)

    def test_nodes_and_map(self):
        nodes = self.ask("nodes")["nodes"]
        self.assertEqual({n["address"] for n in nodes}, {address(p) for p in self.servers.ports})
        self.assertEqual(sum(n["slot_count"] for n in nodes), 16384)
        self.assertEqual(self.ask("map")["unassigned"], "")
        plain, _ = self.say("map")
        self.assertNotIn("\x1b", plain)
        self.assertIn("\x1b[", self.say("map", "--color")[0])
        self.assertNotIn("\x1b", self.say("map", "--color", "--json")[0])

    def test_nodes_are_found_by_the_start_of_their_id(self):
        target = self.other_ports(self.owner_port(0))[0]
        out, _ = self.say("migrate", "0", "--to", self.servers.id(target)[:12], "--dry-run")
        self.assertIn(address(target), out)
        self.say("migrate", "0", "--to", "no-such-node", "--dry-run", code=2)

    def test_heartbeats_are_not_for_redis(self):
        _, err = self.say("heartbeats", code=2)
        self.assertIn("does not count its heartbeats", err)
        self.say("heartbeats", "--watch", "--json", code=2)

    def test_keys_are_loaded_and_verified(self):
        path = self.words([b"alpha", b"beta", b"{tag}gamma", b"with space", b"caf\xc3\xa9",
                           b"\xff\xfe"])
        self.assertEqual(self.ask("load", path, "--prefix", "w:")["keys"], 6)
        self.assertTrue(self.ask("verify", path, "--prefix", "w:")["ok"])
        owner = self.ask("slot", "w:alpha")["keys"][0]["owner"]
        self.cli(owner.rsplit(":", 1)[1], "DEL", "w:alpha")
        self.assertEqual(self.ask("verify", path, "--prefix", "w:", code=5)["missing"], 1)

    def test_slots_move_with_their_keys(self):
        path = self.words([b"key%d" % i for i in range(3000)])
        self.say("load", path)
        source = self.owner_port(100)
        target = self.other_ports(source)[1]
        _, err = self.say("migrate", "100-299", "--to", address(target), code=2)  # not asked
        self.assertIn("--yes", err)
        wrong = self.other_ports(source)[0]
        self.move("100-299", target, "--from", address(wrong), code=2)
        moved = self.ask("migrate", "100-299", "--from", address(source), "--to", address(target),
                         "--yes")
        self.assertEqual(moved["slots"], 200)
        self.assertGreater(moved["keys"], 0)
        self.say("wait")
        self.assertEqual(self.owner(100), {self.servers.id(target)})
        self.assertTrue(self.ask("verify", path)["ok"])
        again = self.ask("migrate", "100-299", "--to", address(target), "--yes")
        self.assertEqual((again["there_already"], again["slots"]), (200, 0))
        self.findings(code=0)

    def cut_off(self, slot, key, steps):
        """The first steps of a move by hand; then slotctl has to finish it."""
        self.say("wait")
        source = self.owner_port(slot)
        target = self.other_ports(source)[0]
        self.assertEqual(self.cli(source, "SET", key, "here"), "OK")
        self.assertEqual(self.cli(source, "SET", key + "2", "here"), "OK")
        s, t = self.servers.id(source), self.servers.id(target)
        script = [
            (target, "CLUSTER", "SETSLOT", slot, "IMPORTING", s),
            (source, "CLUSTER", "SETSLOT", slot, "MIGRATING", t),
            (source, "MIGRATE", "127.0.0.1", target, key, 0, 5000),
            (source, "MIGRATE", "127.0.0.1", target, key + "2", 0, 5000),
            (target, "CLUSTER", "SETSLOT", slot, "NODE", t),
            (source, "CLUSTER", "SETSLOT", slot, "NODE", t),
        ]
        for step in script[:steps]:
            self.assertEqual(self.cli(*step), "OK")
        return source, target

    def test_a_move_that_was_cut_off_goes_on(self):
        slot = self.ask("slot", "{cut}")["keys"][0]["slot"]
        for steps in range(7):
            with self.subTest(steps=steps):
                source, target = self.cut_off(slot, "{cut}", steps)
                self.move(slot, target)
                self.say("wait")
                self.assertEqual(self.owner(slot), {self.servers.id(target)})
                for key in ("{cut}", "{cut}2"):
                    self.assertEqual(self.cli(target, "GET", key), "here")
                self.assertEqual(self.cli(source, "CLUSTER", "COUNTKEYSINSLOT", slot), "0")
                self.findings(code=0)

    def copy_to(self, target, key, value):
        """A copy on the importing side, as a MIGRATE leaves it that ended before it deleted."""
        with socket.create_connection(("127.0.0.1", target)) as link:
            link.sendall(b"ASKING\r\nSET %s %s\r\n" % (key.encode(), value.encode()))
            answer = b""
            while answer.count(b"\r\n") < 2:
                answer += link.recv(100)
            self.assertEqual(answer, b"+OK\r\n+OK\r\n")

    def test_equal_copies_are_no_obstacle(self):
        slot = self.ask("slot", "{copy}")["keys"][0]["slot"]
        _, target = self.cut_off(slot, "{copy}", 2)
        self.copy_to(target, "{copy}", "here")
        self.move(slot, target)
        self.assertEqual(self.cli(target, "GET", "{copy}"), "here")
        self.assertEqual(self.cli(target, "GET", "{copy}2"), "here")

    def test_copies_that_differ_stop_the_move(self):
        slot = self.ask("slot", "{differ}")["keys"][0]["slot"]
        source, target = self.cut_off(slot, "{differ}", 2)
        self.copy_to(target, "{differ}", "there")
        _, err = self.move(slot, target, code=3)
        self.assertIn("'{differ}'", err)
        self.assertIn("goes on from there", err)
        self.assertEqual(self.cli(source, "GET", "{differ}"), "here")  # nothing was overwritten
        self.cli(source, "DEL", "{differ}")
        self.move(slot, target)
        self.assertEqual(self.cli(target, "GET", "{differ}"), "there")
        self.say("wait")

    def test_a_slot_that_is_open_with_somebody_else_is_left_alone(self):
        slot = self.ask("slot", "{third}")["keys"][0]["slot"]
        source, target = self.cut_off(slot, "{third}", 2)
        third = next(p for p in self.other_ports(source) if p != target)
        _, err = self.move(slot, third, code=2)
        self.assertIn(f"slot {slot} is open", err)
        self.assertEqual(self.findings(), {"open slot"})
        self.move(slot, target)
        self.say("wait")
        self.findings(code=0)

    def test_slots_are_unassigned_and_assigned(self):
        self.say("wait")
        owner = self.owner_port(16000)
        other = self.other_ports(owner)[0]
        _, err = self.say("assign", "16000-16001", "--to", address(other), "--yes", code=2)
        self.assertIn(f"slots 16000-16001 belong to {address(owner)}", err)
        self.say("unassign", "16000-16001", "--yes")
        for port in self.servers.ports:
            wait_until(lambda: self.run_json("map", "-a", address(port))["unassigned"]
                       == "16000-16001", "all nodes see the slots unassigned")
        self.assertIn("uncovered", self.findings())
        given = self.ask("assign", "16000-16001", "--to", address(owner), "--yes")
        self.assertEqual(given["slots"], "16000-16001")
        self.say("wait")
        self.findings(code=0)


class Broken(SlotctlCase):
    def test_a_dead_node_is_found(self):
        self.servers = RedisServers(3)
        self.addCleanup(self.servers.close)
        self.run_slotctl("create", *map(address, self.servers.ports), "--yes")
        self.servers.stop(self.servers.ports[2])
        self.assertIn("unreachable", self.findings())
        wait_until(lambda: "failed owner" in self.findings(), "the others hold it for failed")
        _, err = self.say("wait", "--timeout", "300", code=5)
        self.assertIn("cluster_state:fail", err)


if __name__ == "__main__":
    unittest.main()
