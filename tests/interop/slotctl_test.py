"""slotctl from the first daemon to the last, as its manual has it."""

import json
import os
import shutil
import tempfile
import unittest

from daemons import SLOTCTL, Cluster, run, wait_until


class Local(unittest.TestCase):
    def test_demo_then_stop(self):
        directory = tempfile.mkdtemp(prefix="slotd-demo-")
        words = directory + "/words"
        with open(words, "w", encoding="utf-8") as file:
            file.write("".join(f"word{i}\n" for i in range(20000)))
        try:
            told = run(SLOTCTL, "demo", "--dir", directory + "/cluster", "--words", words)
            self.assertIn("20000 words: 20000 right, 0 missing, 0 wrong", told)
            self.assertIn("saw 0 errors", told)
            state = json.loads(run(SLOTCTL, "local", "status", "--json",
                                   "--dir", directory + "/cluster"))
            self.assertEqual([d["running"] for d in state["daemons"]], [True] * 3)
        finally:
            run(SLOTCTL, "local", "stop", "--delete", "--dir", directory + "/cluster")
            self.assertFalse(os.path.exists(directory + "/cluster/1"))
            shutil.rmtree(directory)


class Commands(unittest.TestCase):
    def ctl(self, cluster, *words, code=0):
        return run(SLOTCTL, *words, "-a", cluster.addresses()[0], code=code)

    def test_a_cluster_by_hand(self):
        with Cluster(4) as cluster:
            three, fourth = cluster.addresses()[:3], cluster.addresses()[3]
            run(SLOTCTL, "create", *three, "--yes")
            self.assertIn("All is well", self.ctl(cluster, "check"))
            self.ctl(cluster, "add-node", fourth, "--yes")
            self.assertIn("empty master", self.ctl(cluster, "check", code=5))
            self.ctl(cluster, "migrate", "0-99,200", "--from", three[0], "--to", fourth, "--yes")
            nodes = json.loads(self.ctl(cluster, "nodes", "--json"))["nodes"]
            slots = {node["address"]: node["slots"] for node in nodes}
            self.assertEqual(slots[fourth], "0-99,200")
            self.assertIn("All is well", self.ctl(cluster, "check"))
            self.ctl(cluster, "migrate", "0-99,200", "--to", three[0], "--yes")
            self.ctl(cluster, "unassign", "16383", "--yes")
            wait_until(lambda: cluster.daemons[0].info()["cluster_slots_assigned"] == "16383",
                       "the slot is free")
            self.ctl(cluster, "check", code=5)
            self.ctl(cluster, "assign", "16383", "--to", three[1], "--yes")
            self.ctl(cluster, "forget", fourth, "--yes")
            wait_until(lambda: cluster.daemons[1].info()["cluster_known_nodes"] == "3",
                       "it is removed")
            self.ctl(cluster, "wait", "--timeout", "20000")

    def test_every_report_is_one_json_document(self):
        with Cluster() as cluster:
            cluster.create()
            for words in (["nodes"], ["map"], ["slot", "foo", "{tag}x"], ["heartbeats", "--all"],
                          ["check"], ["wait", "--timeout", "20000"]):
                json.loads(self.ctl(cluster, *words, "--json"))

    def test_refusals_have_their_exit_codes(self):
        with Cluster() as cluster:
            cluster.create()
            taken = cluster.addresses()
            self.ctl(cluster, "migrate", "16384", "--to", taken[1], "--yes", code=2)
            self.ctl(cluster, "migrate", "5-3", "--to", taken[1], "--yes", code=2)
            self.ctl(cluster, "migrate", "0", "--from", taken[2], "--to", taken[1], "--yes", code=2)
            self.ctl(cluster, "migrate", "0", "--to", taken[1], code=2)
            self.ctl(cluster, "assign", "0", "--to", taken[1], "--yes", code=2)
            self.ctl(cluster, "forget", taken[1], "--yes", code=2)
            self.ctl(cluster, "nodes", "--bogus", code=2)
            run(SLOTCTL, "create", *taken, "--yes", code=2)
            run(SLOTCTL, "nodes", "-a", "127.0.0.1:1", code=4)


if __name__ == "__main__":
    unittest.main()
