"""The blocking report on objects of all kinds that a descriptor stands for."""
from known_waits import KnownWait, needs_disk, record_waits, text


class Objects(KnownWait):
    """One kind a test."""

    def test_message_queue(self):
        self.check("queue", "mq_timedreceive", "", "mq_receive", "receive", self.TASK)
        self.check_file("regular")

    def test_timerfd(self):
        self.check("timerfd", "read", "timerfd", "read", "read_some", self.TIMER)
        self.check_file("timerfd")

    def test_signalfd(self):
        """The signal is what is read, and does not end the wait as one with a handler does."""
        self.check("signalfd", "read", "signalfd", "read", "read_signal", self.TASK)
        self.check_file("signalfd")

    def test_inotify(self):
        self.check("inotify", "read", "inotify", "read", "read_event", self.TASK)
        self.check_file("inotify")

    def test_terminal(self):
        """What is written to a terminal's other end is handed on by a thread of the kernel's."""
        self.check("terminal", "read", "tty", "read", "read_some", ("workqueue", None, False, "waker"))
        self.check_file("tty")
        wakeup = self.interval["wakeup"]
        self.assertEqual((text(wakeup["work"]), wakeup["queued_in"]), ("[kernel]:flush_to_ldisc", "task"))
        self.assertTrue(self.interval["start_ns"] < wakeup["sent_ns"] < self.interval["woken_ns"])

    def test_sync(self):
        """As often as the file's content and what describes it have to be waited for until they are on the disk."""
        needs_disk(self)
        intervals, _, _, self.facts = record_waits("sync")
        self.assertTrue(intervals)
        for interval in intervals:
            self.resource = interval["resource"]
            self.assertEqual((interval["syscall"], interval["state"]), ({"name": "fsync", "descriptor": ""}, "D"))
            self.check_file("regular")
            self.assertEqual((text(interval["function"]), text(interval["caller"])), ("libc.so.6:fsync", "waits:sync_file"))
            self.assertEqual(interval["kernel_function"]["component"], "[kernel]")
            wakeup = interval["wakeup"]
            # Either the disk's own interrupt, or a kernel thread that has the file system's share of the work.
            if wakeup["context"] == "task":
                self.assertEqual((wakeup["interrupt"], wakeup["request"]), (None, None))
            elif wakeup["context"] == "workqueue" and wakeup["queued_in"] == "task":
                self.assertIsNone(wakeup["request"])
            else:
                self.assertIsNone(wakeup["task"])
                # Of what the file system has to know for that some may have to be read.
                self.assertIn(wakeup["request"]["operation"], ("write", "flush", "read"))
                self.assertEqual(wakeup["request"]["device"], self.resource["device"])
