"""Programs that a test compiles itself: in languages that not every machine has, or linked in a way of its own."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from harness import LIMITED

WORKLOADS = pathlib.Path(__file__).resolve().parents[1] / "workloads"
SOURCES = WORKLOADS / "sources"


def needs_program(name):
    """Skips a test or class on a machine that has it not."""
    return unittest.skipUnless(shutil.which(name), f"there is no {name} here")


def compile_with(test, *words):
    """Runs a compiler, in whose words {} stands for the file to make, which goes with the test; returns its path."""
    folder = test.enterContext(tempfile.TemporaryDirectory())
    path = os.path.join(folder, "compiled")
    run = subprocess.run([*LIMITED, *(str(word).replace("{}", path) for word in words)], capture_output=True, text=True,
                         env=dict(os.environ, HOME=folder, LD_LIBRARY_PATH=""), check=False)
    if run.returncode:
        raise AssertionError(run.stderr)
    return path
