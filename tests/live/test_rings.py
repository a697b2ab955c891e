"""The blocking report on threads that wait for an io_uring's requests: what those are on, and what ends them."""
import unittest

from known_waits import KnownWait, needs_disk, record_waits, text


def has_rings():
    try:
        with open("/proc/sys/kernel/io_uring_disabled", encoding="utf-8") as file:
            return file.read().strip() != "2"
    except FileNotFoundError:
        return True  # it came with 6.6


@unittest.skipUnless(has_rings(), "io_uring is disabled here")
class Rings(KnownWait):
    """One kind of request a test."""

    def check_request(self, kind, inode, ring_fd):
        resource = self.resource
        self.assertEqual((resource["kind"], resource["type"], resource["inode"], resource["fd"]),
                         ("file", kind, int(self.facts[inode]), None))
        self.assertEqual((resource["is_of_ring"], resource["ring_fd"], resource["epoll_fd"]), (True, ring_fd, None))

    def check_poll(self, way, ring_fd):
        self.check(way, "io_uring_enter", "", "syscall", "wait_ring", self.TASK)
        self.check_request("pipe", "inode", ring_fd)

    def test_poll(self):
        """Whoever makes ready what is polled by way of the ring wakes."""
        self.check_poll("ring", 5)

    def test_registered(self):
        """The ring is named by a number of the thread's own, which is no descriptor."""
        self.check_poll("ring-registered", None)

    def test_tcp(self):
        self.check("ring-tcp", "io_uring_enter", "", "syscall", "wait_ring", self.NETWORK)
        self.check_request("socket", "inode", int(self.facts["set"]))
        self.assertEqual((self.resource["socket"]["local"], self.resource["socket"]["remote"]),
                         (self.facts["local"], self.facts["remote"]))

    def record_disk(self, way):
        """The wait for the request; the submission may itself have to wait, for the kernel's first thread of that kind."""
        needs_disk(self, "/var/tmp")
        intervals, _, _, self.facts = record_waits(way)
        interval = intervals[-1]
        self.resource = interval["resource"]
        self.assertEqual((interval["syscall"]["name"], interval["state"], text(interval["caller"])),
                         ("io_uring_enter", "S", "waits:wait_ring"))
        return interval["wakeup"]

    def test_read(self):
        """The disk's interrupt says which of its requests was the last that was needed."""
        wakeup = self.record_disk("ring-read")
        self.check_request("regular", "inode", int(self.facts["set"]))
        self.assertIn(wakeup["context"], ("softirq", "hardirq"))
        self.assertEqual((wakeup["request"]["operation"], wakeup["request"]["device"]), ("read", self.resource["device"]))

    def test_sync(self):
        """What cannot be done without waiting one of the kernel's threads in the process does."""
        wakeup = self.record_disk("ring-sync")
        self.check_request("regular", "peer", int(self.facts["set"]))
        self.assertEqual((wakeup["context"], wakeup["request"], wakeup["syscall"]), ("task", None, None))
        self.assertRegex(wakeup["task"]["name"], "^iou-wrk-")
