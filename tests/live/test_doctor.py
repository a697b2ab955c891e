"""scaler-bpf doctor: its findings beside those of bpftool and of sysfs, and without privileges."""
import json
import pathlib
import subprocess
import unittest

from harness import SCALER, LiveTest, parse_json, scaler


def diagnosis(run):
    document = parse_json(run.stdout, "doctor")
    return document, {row["name"]: row for row in document["features"]}


class Doctor(LiveTest):
    def test_text(self):
        run = scaler("doctor")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertTrue(run.stdout.endswith("\nscaler-bpf can trace here.\n"), run.stdout)
        self.assertRegex(run.stdout, r"\nBTF tracepoints +yes\n")

    def test_as_bpftool_and_sysfs_have_it(self):
        document, features = diagnosis(scaler("doctor", "--format", "json"))
        self.assertTrue(document["can_trace"])
        self.assertEqual(document["kernel"], pathlib.Path("/proc/sys/kernel/osrelease").read_text(
            encoding="ascii").strip())
        probed = subprocess.run(["timeout", "60", "/usr/sbin/bpftool", "-j", "feature", "probe",
                                 "kernel"], capture_output=True, text=True, check=True)
        probed = json.loads(probed.stdout)
        self.assertEqual(features["ring_buffer"]["available"], probed["map_types"]["have_ringbuf_map_type"])
        self.assertEqual(features["task_storage"]["available"],
                         probed["map_types"]["have_task_storage_map_type"])
        self.assertEqual(features["uprobe_cookies"]["available"],
                         "bpf_get_attach_cookie" in probed["helpers"]["kprobe_available_helpers"])
        sources = pathlib.Path("/sys/bus/event_source/devices")
        self.assertEqual(features["kprobes"]["available"], (sources / "kprobe").exists())
        self.assertEqual(features["uprobe_perf_event"]["available"], (sources / "uprobe").exists())
        self.assertEqual(features["cpu_samples"]["available"],
                         "bpf_task_pt_regs" in probed["helpers"]["perf_event_available_helpers"])
        for row in document["features"]:
            self.assertEqual(row["available"], row["remedy"] is None, row)

    def test_without_privileges(self):
        run = subprocess.run(["timeout", "30", "setpriv", "--reuid=65534", "--regid=65534",
                              "--clear-groups", SCALER, "doctor", "--format", "json"],
                             capture_output=True, text=True, check=False)
        document, features = diagnosis(run)
        self.assertEqual(run.returncode, 1)
        self.assertFalse(document["can_trace"])
        self.assertEqual(document["ways"], [])
        for name in ("capabilities", "btf_tracepoints", "cpu_samples", "uprobe_multi"):
            self.assertEqual((features[name]["available"], features[name]["remedy"]),
                             (False, "run with sudo"), features[name])
        self.assertTrue(features["btf"]["available"])


if __name__ == "__main__":
    unittest.main()
