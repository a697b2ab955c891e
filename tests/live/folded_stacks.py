"""Stacks as --folded writes them."""
import collections
import tempfile

from harness import scaler


def parse_folded(text):
    """{(system call or None, frames from the outermost on, without the threads' name): value}; None: it was running."""
    stacks = collections.Counter()
    for line in text.splitlines():
        path, value = line.rsplit(" ", 1)
        _, *frames, leaf = path.split(";")
        if leaf.endswith("_[k]"):
            stacks[leaf[:-4], tuple(frames)] += int(value)
        else:
            stacks[None, (*frames, leaf)] += int(value)
    return dict(stacks)


def folded(*arguments):
    """The calls of a command by stack, all of them, whatever that costs."""
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as file:
        run = scaler("--overhead", "none", "--folded", "--sort", "calls", "-o", file.name, *arguments)
        return run, parse_folded(file.read())


def count_cut(stacks):
    return sum(count for (_, frames), count in stacks.items() if frames[0].startswith("[cut: "))
