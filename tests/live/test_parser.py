"""What a process can do that is confined as the tracer's parser: nothing but read, compute and answer."""
import signal
import subprocess
import unittest

from harness import LIMITED, LiveTest, workload

AS_NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
KILLS = ("open", "connect", "trace", "execute", "fork", "kill", "write", "map_file", "make_code", "load_program")


class Confined(LiveTest):
    """Started by root, and by who has no rights to give up."""

    def run_way(self, way):
        statuses = {subprocess.run([*LIMITED, *user, workload("parser_confined"), way], check=False, stdout=subprocess.PIPE).returncode
                    for user in ((), AS_NOBODY)}
        self.assertEqual(len(statuses), 1, (way, statuses))
        return statuses.pop()

    def test_what_it_can(self):
        for way in ("read", "grow"):
            self.assertEqual(self.run_way(way), 0, way)

    def test_what_ends_it(self):
        for way in KILLS:
            # As timeout(1) has it: it ends as the command did.
            self.assertIn(self.run_way(way), (-signal.SIGSYS, 128 + signal.SIGSYS), way)

    def test_its_memory_has_an_end(self):
        self.assertEqual(self.run_way("grow_on"), 1)


if __name__ == "__main__":
    unittest.main()
