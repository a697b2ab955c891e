"""Live tests that may fail beside others and pass by themselves, each with why, and how often it was seen to.

Ten at most. Rates are of all live tests, run by "tests/run BUILD --times N", or of "tests/run BUILD --times N NAME" with
three busy loops beside it, where that is said.
"""
DOUBTFUL = {
    "test_blocking.Sums.test_messaging":
        "1 of 4: a thread's intervals came to 0.1 ms more than it was blocked; why is not known, and the failure lists them",
    "test_probe_windows.Estimates.test_more_often_is_noticed":
        "0 of 2, busy 1 of 1: a window costs too much then for there to be one in each half second",
    "test_scale.AtOnce.test_that_come_later":
        "1 of 3, busy 0 of 15: one event missed, as its program would have interrupted itself; which one is not known",
}
assert len(DOUBTFUL) <= 10, "a test that fails now and then hides faults: mend one instead"
