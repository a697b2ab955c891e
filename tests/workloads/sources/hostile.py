"""A program that does to its tracer what an unprivileged process can: hostile.py LIBRARY FOLDER COUNT.

Of the library, built from site_library.c with the function "first_call", it makes files in the folder that lie or are not
what they seem, loads each and calls it COUNT times, so that its frames and names are wanted. Before and
behind that it waits for a line, then changes the files behind the tracer's back, and waits for the end of its input. It
prints a word where it waits.
"""
import ctypes
import mmap
import os
import struct
import sys

LIBRARY, FOLDER, COUNT = sys.argv[1], sys.argv[2], int(sys.argv[3])
MIB = 1 << 20
SECTION, SYMBOL = struct.Struct("<IIQQQQIIQQ"), struct.Struct("<IBBHQQ")
SEGMENT = struct.Struct("<IIQQQQQQ")
PT_GNU_EH_FRAME = 0x6474e550
CODE = bytes.fromhex("b86e000000" "0f05" "c3")  # getppid(), and back


class File:
    """The library's bytes, and what is put behind them."""

    def __init__(self):
        with open(LIBRARY, "rb") as file:
            self.bytes = bytearray(file.read())
        self.size = len(self.bytes)
        self.segments_at, self.sections_at = struct.unpack_from("<QQ", self.bytes, 32)
        _, self.segment_count, _, self.section_count, names = struct.unpack_from("<HHHHH", self.bytes, 54)
        self.names_at = self.section_header(names)[4]

    def section_header(self, index):
        return list(SECTION.unpack_from(self.bytes, self.sections_at + index * SECTION.size))

    def section(self, name):
        """The number of the section of that name."""
        for index in range(self.section_count):
            start = self.names_at + self.section_header(index)[0]
            if self.bytes[start:self.bytes.index(0, start)] == name.encode():
                return index
        raise KeyError(name)

    def set_section(self, index, offset, size, address=None):
        header = self.section_header(index)
        header[3] = header[3] if address is None else address
        header[4:6] = offset, size
        SECTION.pack_into(self.bytes, self.sections_at + index * SECTION.size, *header)

    def frame_header(self):
        """Where the segment header of .eh_frame_hdr is, and what it says."""
        for index in range(self.segment_count):
            at = self.segments_at + index * SEGMENT.size
            segment = list(SEGMENT.unpack_from(self.bytes, at))
            if segment[0] == PT_GNU_EH_FRAME:
                return at, segment
        raise KeyError("PT_GNU_EH_FRAME")

    def function(self, name):
        symbols, names = self.section_header(self.section(".symtab")), self.section_header(self.section(".strtab"))
        for at in range(symbols[4], symbols[4] + symbols[5], SYMBOL.size):
            text, _, _, _, address, size = SYMBOL.unpack_from(self.bytes, at)
            start = names[4] + text
            if self.bytes[start:self.bytes.index(0, start)] == name.encode():
                return address, size
        raise KeyError(name)

    def append(self, data):
        """Returns where it is."""
        at = len(self.bytes)
        self.bytes += data
        return at

    def write(self, name, hole=0, tail=b""):
        """With that number of bytes of nothing before the tail. Returns the path."""
        path = os.path.join(FOLDER, name)
        with open(path, "wb") as file:
            file.write(self.bytes)
            file.truncate(len(self.bytes) + hole)
            file.seek(0, os.SEEK_END)
            file.write(tail)
        return path


def plain(name):
    return File().write(name)


def with_long_common(name):
    """The frame description of its function refers to a CIE with 200 MiB of instructions that do nothing."""
    file = File()
    address, size = file.function("first_call")
    at, segment = file.frame_header()
    base, hole = 0x1000000, 200 * MIB  # where the section is mapped, as it says
    segment[2] = file.append(bytes((1, 0x1b, 3, 0x3b)) +
                             struct.pack("<iIii", 0, 1, address - segment[3], base + 4 + hole - segment[3]))
    section = file.append(struct.pack("<IIBBBBB", hole, 0, 1, 0, 1, 0x78, 16))
    SEGMENT.pack_into(file.bytes, at, *segment)
    file.set_section(file.section(".eh_frame"), section, 4 + hole + 24, base)
    return file.write(name, 4 + hole - (len(file.bytes) - section), struct.pack("<IIQQ", 20, 4 + hole + 4, address, size))


def with_many_descriptions(name):
    """Its table of frame descriptions has 50 million entries, all of nothing."""
    file = File()
    at, segment = file.frame_header()
    segment[2] = file.append(bytes((1, 0x1b, 3, 0x3b)) + struct.pack("<iI", 0, 50_000_000))
    SEGMENT.pack_into(file.bytes, at, *segment)
    return file.write(name, 400 * MIB)


def with_long_names(name):
    """Its 3,000 symbols have one name of a megabyte."""
    file = File()
    address, size = file.function("hidden_call")
    names = file.append(b"\0" + b"n" * MIB + b"\0")
    symbols = file.append(bytes(SYMBOL.size) + b"".join(
        SYMBOL.pack(1 + i, 0x12, 0, 1, address + (i << 24), size) for i in range(3000)))
    file.set_section(file.section(".symtab"), symbols, 3001 * SYMBOL.size)
    file.set_section(file.section(".strtab"), names, MIB + 2)
    return file.write(name)


def load(path):
    return ctypes.CDLL(path).first_call


def generate(name_size):
    """Code of its own, with a name of that size; returns the function, what holds it, and its address."""
    code = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(CODE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(code))
    with open(f"/tmp/perf-{os.getpid()}.map", "wb") as file:
        file.write(f"{address:x} 1000 ".encode() + b"g" * name_size + b"\n")
    return ctypes.CFUNCTYPE(ctypes.c_int)(address), code


def main():
    made = {
        "truncated": plain("libtruncated.so"),
        "became_fifo": plain("libbecame_fifo.so"),
        "became_device": plain("libbecame_device.so"),
        "long_common": with_long_common("liblong_common.so"),
        "many_descriptions": with_many_descriptions("libmany_descriptions.so"),
        "long_names": with_long_names("liblong_names.so"),
        "escape": plain("lib\x1b[2J\x1b]0;escape\x07.so"),
    }
    print("ready", flush=True)
    sys.stdin.readline()
    functions = [load(path) for path in made.values()]
    generated, _code = generate(60 * MIB)
    for function in functions:
        function(COUNT)
    for _ in range(COUNT):
        generated()
    print("called", flush=True)
    sys.stdin.readline()
    for kind in ("fifo", "device"):
        os.unlink(made[f"became_{kind}"])
        os.symlink(os.path.join(FOLDER, kind), made[f"became_{kind}"])
    os.truncate(made["truncated"], 4096)
    print("changed", flush=True)
    sys.stdin.read()
    # Destructors of what was cut off would be a fault.
    os._exit(0)


main()
