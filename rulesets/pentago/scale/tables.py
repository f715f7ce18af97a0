"""Prints the tables of README.md as Markdown: the cost of a million questions and of a solve
beyond one machine.

The measurements are below; everything else is computed from them and from slices.py. `check`
fails if README.md has other tables.
"""

import slices

# Measured as README.md describes.
#
# Core-seconds of a searched hint, by its time limit in ms.
SECONDS_PER_SEARCH = {10: 0.0072, 100: 0.038, 1000: 0.24}
# Core-seconds of a hint from the cache.
SECONDS_PER_HIT = 90e-6
# Core time of Pentago's solver for one configuration, with two passes.
NS_PER_CONFIGURATION = 32

# Assumed.
HIT_RATES = (0, 0.5, 0.9, 0.99)
MACHINE_CORES = 16
MACHINE_GIB = 64
NETWORK_GBIT = 10
# Parts of a slice per machine, so that loads are about equal.
PARTS_PER_MACHINE = 8
# Two passes take half the memory and little more time.
WORD = slices.WORD_BYTES["two passes"]


def main():
    for table in (million, roots, split_roots, root_slices, whole):
        print("\n".join(table()), end="\n\n")


def million():
    yield from head("`timeMs`", "a search", *(f"{rate:.0%} hits" for rate in HIT_RATES))
    for budget, seconds in SECONDS_PER_SEARCH.items():
        hours = [1e6 * ((1 - rate) * seconds + rate * SECONDS_PER_HIT) / 3600 for rate in HIT_RATES]
        yield row(f"{budget:,}", f"{figure(seconds * 1000)} ms", *(f"{figure(one)} h" for one in hours))


def roots():
    yield from head("marbles", "configurations", "largest slice", "one pass", "two passes", "core-hours")
    for n in range(18, 9, -1):
        n_empty = slices.N_CELLS - n
        count = slices.root_configurations(n_empty)
        largest = max(slices.configurations(n_empty, n_added) for n_added in range(1, n_empty + 1))
        memory = [binary(slices.root_memory(n_empty, word)) for word in slices.WORD_BYTES.values()]
        yield row(n, millions(count), millions(largest), *memory, figure(core_hours(n_empty)))


def split_roots():
    names = ("marbles", "machines", "parts", "fullest machine", "read from others", "for one slice, at most", "computing", "reading")
    yield from head(*names)
    for n, n_machines in ((15, 2), (14, 2), (14, 4), (13, 2), (13, 4), (12, 8), (12, 16), (11, 16), (10, 64)):
        n_empty = slices.N_CELLS - n
        n_parts, excess, reads = split(n_empty, n_machines)
        total = 2 * sum(reads.values())
        memory = slices.slice_memory(n_empty, WORD) / n_machines * excess + slices.fives_memory(n_empty)
        computing = core_hours(n_empty) * 60 / MACHINE_CORES / n_machines * excess
        network = total * 8 / (NETWORK_GBIT * 1e9) / 60 / n_machines
        assert memory < 0.9 * MACHINE_GIB * 2**30, f"{n} marbles do not fit into {n_machines} machines"
        sizes = map(binary, (memory, total, max(reads.values())))
        yield row(n, n_machines, n_parts, *sizes, f"{figure(computing)} min", f"{figure(network)} min")


def root_slices():
    """Lists the slices of one of the two passes."""
    roots = {15: 2, 14: 4}
    yield from head("marbles", *(name for n, k in roots.items() for name in (f"slice below {n}", f"read by {k} machines")))
    reads = {n: split(slices.N_CELLS - n, n_machines)[2] for n, n_machines in roots.items()}
    for n in range(slices.N_CELLS, min(roots), -1):
        cells = []
        for root in roots:
            size = slices.configurations(slices.N_CELLS - root, n - root) * WORD if n > root else 0
            cells += [binary(size), binary(reads[root].get(n - root, 0))] if size else ["", ""]
        yield row(n, *cells)


def split(n_empty, n_machines):
    """Returns the number of parts, the load of the fullest machine relative to its share, and the bytes read for each slice."""
    n_split = next(k for k in range(n_empty) if 3**k >= PARTS_PER_MACHINE * n_machines)
    machine_of, excess = slices.spread(n_empty, n_split, n_machines)
    reads = {n_added: slices.traffic(n_empty, n_added, n_split, machine_of, WORD) for n_added in range(1, n_empty)}
    return 3**n_split, excess, reads


def core_hours(n_empty):
    """Returns the core-hours for a root, in two passes."""
    return 2 * slices.root_configurations(n_empty) * NS_PER_CONFIGURATION / 1e9 / 3600


def whole():
    yield from head("marbles", "positions", "sections", "bytes", "with the next slice", "largest section", "read for it")
    for n in (14, 15, 16, 17, 18, 20, 22, 23, 24, 25, 26, 28, 30, 33, 36):
        here = slices.whole_slice(n)
        both = here.bytes + (slices.whole_slice(n + 1).bytes if n < slices.N_CELLS else 0)
        yield row(n, f"{here.positions:,}", f"{here.sections:,}", *map(binary, (here.bytes, both, here.largest_section, here.reads)))


def head(*names):
    return row(*names), row(*("---" for _ in names))


def row(*cells):
    return f"| {' | '.join(map(str, cells))} |"


def figure(number):
    """Formats a number with two significant digits."""
    return f"{float(f'{number:.2g}'):,g}"


def millions(number):
    return f"{figure(number / 1e6)} M"


def binary(n_bytes):
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB"):
        if n_bytes < 1000 or unit == "TiB":
            return f"{figure(n_bytes)} {unit}"
        n_bytes /= 1024


if __name__ == "__main__":
    main()
