"""What an operator and a client see of real daemons: creation, crashes, bad input, sizes."""

import os
import signal
import socket
import subprocess
import unittest

import redis

from daemons import Cluster, Daemon, run, wait_until


def heartbeats(daemon):
    rows = daemon.cluster("HEARTBEATS")
    return [dict(zip(row[::2], row[1::2])) for row in rows]


class RedisCli(unittest.TestCase):
    def test_creates_checks_and_follows_redirects(self):
        with Cluster() as cluster:
            run("redis-cli", "--cluster", "create", *cluster.addresses(), "--cluster-yes")
            wait_until(cluster.all_ok, "all serve")
            first = str(cluster.daemons[0].port)
            last = str(cluster.daemons[-1].port)
            for key in ("foo", "bar", "hello", "{tag}a", ""):
                run("redis-cli", "-c", "-p", first, "set", key, "value of " + key)
                told = run("redis-cli", "-c", "-p", last, "get", key)
                self.assertIn("value of " + key, told)
            told = run("redis-cli", "--cluster", "check", cluster.addresses()[1])
            self.assertIn("[OK] All nodes agree about slots configuration.", told)
            self.assertIn("[OK] All 16384 slots covered.", told)

    def test_reshards_with_keys(self):
        with Cluster() as cluster:
            cluster.create()
            client = redis.RedisCluster("127.0.0.1", cluster.daemons[0].port)
            for i in range(2000):
                client.set(f"key:{i}", i)
            source, target = (d.cluster("MYID") for d in cluster.daemons[:2])
            run("redis-cli", "--cluster", "reshard", cluster.addresses()[0],
                "--cluster-from", source, "--cluster-to", target, "--cluster-slots", "300",
                "--cluster-yes")
            wait_until(cluster.one_digest, "all hold one view")
            told = run("redis-cli", "--cluster", "check", cluster.addresses()[0])
            self.assertIn("[OK] All 16384 slots covered.", told)
            self.assertEqual(sum(d.client().dbsize() for d in cluster.daemons), 2000)
            for i in range(2000):
                self.assertEqual(int(client.get(f"key:{i}")), i)


class Crashes(unittest.TestCase):
    def test_a_killed_daemon_comes_back_by_itself(self):
        with Cluster() as cluster:
            cluster.create()
            for daemon in cluster.daemons:
                before = daemon.cluster("MYID")
                daemon.kill(signal.SIGKILL)
                daemon.start()
                self.assertEqual(daemon.cluster("MYID"), before)
                wait_until(cluster.all_ok, "ok everywhere without a command")
                wait_until(cluster.one_digest, "one view")

    def test_a_failed_master_is_seen_and_seen_back(self):
        with Cluster() as cluster:
            cluster.create()
            gone = cluster.daemons[2]
            gone.kill()
            for daemon in cluster.daemons[:2]:
                wait_until(lambda d=daemon: d.info()["cluster_state"] == "fail", "the loss is seen")
                self.assertIn(" master,fail ", daemon.cluster("NODES"))
            gone.start()
            wait_until(cluster.all_ok, "ok everywhere")

    def test_a_stopped_daemon_does_not_serve_what_it_may_have_lost(self):
        with Cluster() as cluster:
            cluster.create()
            paused = cluster.daemons[0]
            paused.process.send_signal(signal.SIGSTOP)
            for daemon in cluster.daemons[1:]:
                wait_until(lambda d=daemon: d.info()["cluster_state"] == "fail", "the loss is seen")
            paused.process.send_signal(signal.SIGCONT)
            wait_until(cluster.all_ok, "ok everywhere")
            wait_until(cluster.one_digest, "one view")

    def test_all_restart_at_once(self):
        with Cluster() as cluster:
            cluster.create()
            for daemon in cluster.daemons:
                daemon.kill()
            for daemon in cluster.daemons:
                daemon.start()
            wait_until(cluster.all_ok, "ok everywhere")


class Heartbeats(unittest.TestCase):
    def test_a_steady_heartbeat_has_at_most_64_bytes(self):
        with Cluster() as cluster:
            cluster.create()
            daemon = cluster.daemons[0]

            def steady():
                rows = heartbeats(daemon)
                return len(rows) == 3 and all(0 < row["last-heartbeat-sent"] <= 64 for row in rows)

            wait_until(steady, "heartbeats are small")

    def test_raw_in_every_heartbeat_shows_the_bitmap(self):
        raw = ("--myslots-encoding", "raw", "--myslots-in-every-heartbeat", "yes")
        with Cluster(3, *raw) as cluster:
            cluster.create()

            def large():
                row = heartbeats(cluster.daemons[0])[0]
                return row["last-encoding"] == "raw" and row["last-heartbeat-sent"] > 2048

            wait_until(large, "heartbeats carry the raw bitmap")
            self.assertEqual(heartbeats(cluster.daemons[0])[0]["last-myslots-bytes"], 2048)


class BadInput(unittest.TestCase):
    def refused(self, daemon, *directives):
        done = subprocess.run(daemon.command_line(*directives), capture_output=True, text=True,
                              timeout=20, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stderr

    def test_start_is_refused_with_the_reason(self):
        with Cluster(1) as cluster:
            taken = cluster.daemons[0]
            other = Daemon(cluster.root + "/other")
            self.assertIn("bogus: unknown directive", self.refused(other, "--bogus", "1"))
            self.assertIn("argument must be between", self.refused(other, "--port", "70000"))
            self.assertIn("address already in use",
                          self.refused(other, "--port", str(taken.port), "--cluster-port", "0"))
            self.assertIn("is used by another slotd", self.refused(other, "--dir", taken.directory))

    def test_a_damaged_state_file_is_no_new_identity(self):
        with Cluster(1) as cluster:
            daemon = cluster.daemons[0]
            daemon.cluster("ADDSLOTSRANGE", "0", "16383")
            daemon.kill()
            path = daemon.directory + "/slotd.state"
            with open(path, "rb") as file:
                good = file.read()
            for damage in (good[:-1], b"", good[:20], good[:40] + b"x" + good[41:]):
                with open(path, "wb") as file:
                    file.write(damage)
                self.assertIn("slotd.state: state file:", self.refused(daemon))
            with open(path, "wb") as file:
                file.write(good)
            daemon.start()

    def test_garbage_on_both_ports_harms_nobody(self):
        with Cluster() as cluster:
            cluster.create()
            daemon = cluster.daemons[0]
            for port, bytes_ in ((daemon.port + 10000, b"GET / HTTP/1.1\r\n\r\n"),
                                 (daemon.port + 10000, b"sd\x01\x04\xff\xff\xff\x7f"),
                                 (daemon.port + 10000, b"sd\x01\x04\x03\x00\x00\x00abc"),
                                 (daemon.port, b"*1\r\n$999999999999\r\n"),
                                 (daemon.port, b"*-5\r\n*2000000000\r\n")):
                with socket.create_connection(("127.0.0.1", port), timeout=10) as link:
                    link.sendall(bytes_)
                    while link.recv(4096):
                        pass
            with socket.create_connection(("127.0.0.1", daemon.port)) as half:
                half.sendall(b"*2\r\n$3\r\nGET\r\n$3\r\nfo")
            self.assertTrue(daemon.client().ping())
            self.assertTrue(cluster.all_ok())
            self.assertIn("not a slotd bus frame", daemon.log())

    def test_slots_that_cannot_be_assigned(self):
        with Cluster() as cluster:
            cluster.create()
            daemon = cluster.daemons[0]
            for words, text in ((("ADDSLOTS", "16384"), "Invalid or out of range slot"),
                                (("ADDSLOTS", "-1"), "Invalid or out of range slot"),
                                (("ADDSLOTS", "16383"), "Slot 16383 is already busy"),
                                (("DELSLOTS", "16383"), "Slot 16383 is owned by node"),
                                (("SETSLOT", "16383", "MIGRATING", "0" * 40), "not the owner"),
                                (("FORGET", "1" * 40), "Unknown node")):
                with self.assertRaises(redis.ResponseError) as caught:
                    daemon.cluster(*words)
                self.assertIn(text, str(caught.exception))

    def test_without_a_disk_it_serves_says_so_and_tries_again(self):
        with Cluster() as cluster:
            cluster.create()
            daemon = cluster.daemons[0]
            key = next(f"k{i}" for i in range(100) if daemon.cluster("KEYSLOT", f"k{i}") < 5000)
            os.rename(daemon.directory, daemon.directory + ".away")
            with self.assertRaises(redis.ResponseError) as caught:
                daemon.cluster("BUMPEPOCH")
            self.assertIn("the cluster state is not saved", str(caught.exception))
            self.assertIn("cannot create", daemon.info()["cluster_state_saved"])
            self.assertTrue(daemon.client().set(key, "served on"))
            os.rename(daemon.directory + ".away", daemon.directory)
            wait_until(lambda: daemon.info()["cluster_state_saved"] == "yes", "it is saved")
            wait_until(lambda: cluster.daemons[1].info()["cluster_current_epoch"] == "4",
                       "and then known to others")


if __name__ == "__main__":
    unittest.main()
