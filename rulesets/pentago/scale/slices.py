"""Counts Pentago positions slice by slice, and the memory they take.

A slice is all positions with the same number of marbles. Two ways to solve late
positions by retrograde analysis are compared here:

- the whole game, as Irving did ("Pentago is a First Player Win", arXiv 1404.0743): every
  position of a slice, up to symmetry, from the full board down to the wanted slice;
- one root, as src/solver does: only positions that can follow from one position.

Both keep one bit for each of the 256 rotations of the four blocks in a word, and two such
words (won, not lost). Nothing here is measured; tables.py turns it into tables.
"""

import collections
import functools
import itertools
from math import comb

N_CELLS = 36
# Two bits (won, not lost) for each of 256 rotations.
NODE_BYTES = 2 * 256 // 8
# After a given number of moves half of the rotations can be reached: 128 bits per word.
WORD_BYTES = {"one pass": 32, "two passes": 16}
# Possible contents of a block: numbers of white and black marbles.
BLOCKS = [(white, black) for white in range(10) for black in range(10 - white)]


def marbles(n):
    """Numbers of white and black marbles after n placements; white begins."""
    return (n + 1) // 2, n // 2


# The whole game


@functools.cache
def positions(n):
    """Boards with n marbles up to the eight symmetries of the square, by Burnside's lemma.

    Boards with a five are counted like all others, as they are in Irving's total.
    """
    total = sum(kept_boards(cycle_lengths(symmetry), *marbles(n)) for symmetry in square_symmetries())
    assert total % 8 == 0
    return total // 8


def square_symmetries(side=6):
    """Yields each symmetry as the list of the cells' images."""
    for mirrored, n_turns in itertools.product((False, True), range(4)):
        moved = []
        for y, x in itertools.product(range(side), repeat=2):
            x = side - 1 - x if mirrored else x
            for _ in range(n_turns):
                x, y = side - 1 - y, x
            moved.append(y * side + x)
        yield moved


def cycle_lengths(permutation):
    unseen = set(range(len(permutation)))
    while unseen:
        start = cell = unseen.pop()
        length = 1
        while (cell := permutation[cell]) != start:
            unseen.remove(cell)
            length += 1
        yield length


def kept_boards(lengths, white, black):
    """Counts boards fixed by a permutation with these cycles: each cycle has one colour."""
    ways = collections.Counter({(0, 0): 1})
    for length in lengths:
        longer = collections.Counter()
        for (w, b), n_ways in ways.items():
            for key in ((w, b), (w + length, b), (w, b + length)):
                longer[key] += n_ways
        ways = longer
    return ways[white, black]


@functools.cache
def block_patterns(white, black):
    """Counts the ways to put marbles into a block, up to rotation; 0 if they do not fit."""
    if min(white, black) < 0 or white + black > 9:
        return 0
    # Turned by 0, 90, 180 and 270 degrees.
    cycles = [[1] * 9, [1, 4, 4], [1, 2, 2, 2, 2], [1, 4, 4]]
    return sum(kept_boards(lengths, white, black) for lengths in cycles) // 4


def sections(n):
    """Yields the sections of a slice: the contents of each block, clockwise; one of each eight symmetric ones.

    A section is an array with a side for each block, block_patterns() long.
    """
    white, black = marbles(n)
    halves = collections.defaultdict(list)
    for one, other in itertools.product(BLOCKS, repeat=2):
        halves[one[0] + other[0], one[1] + other[1]].append((one, other))
    for (w, b), first in halves.items():
        for left, right in itertools.product(first, halves.get((white - w, black - b), ())):
            section = left + right
            if section[0] == min(section) and section == canonical(section):
                yield section


def canonical(section):
    a, b, c, d = section
    return min((a, b, c, d), (b, c, d, a), (c, d, a, b), (d, a, b, c), (d, c, b, a), (c, b, a, d), (b, a, d, c), (a, d, c, b))


def nodes(section):
    a, b, c, d = (block_patterns(*block) for block in section)
    return a * b * c * d


def next_sections(section, n):
    """Yields the sections of the next slice that this one is computed from: one more marble in some block."""
    mover = n % 2
    for idx, (white, black) in enumerate(section):
        block = (white + (mover == 0), black + (mover == 1))
        if sum(block) <= 9:
            yield canonical(section[:idx] + (block,) + section[idx + 1 :])


Slice = collections.namedtuple("Slice", "n positions sections nodes bytes largest_section reads")


@functools.cache
def whole_slice(n):
    """Returns the sizes of a slice; `reads` adds up the bytes of the next slice that each section reads."""
    n_sections = n_nodes = largest = reads = 0
    for section in sections(n):
        size = nodes(section)
        n_sections, n_nodes, largest = n_sections + 1, n_nodes + size, max(largest, size)
        # Turns only permute the bits of a node, so a section reads its neighbours and nothing else.
        reads += sum(nodes(below) for below in set(next_sections(section, n)))
    return Slice(n, positions(n), n_sections, n_nodes, n_nodes * NODE_BYTES, largest * NODE_BYTES, reads * NODE_BYTES)


# One root


def configurations(n_empty, n_added):
    """Counts the ways to add marbles to the root's empty cells; the mover adds the first."""
    own, opposing = marbles(n_added)
    return comb(n_empty, own) * comb(n_empty - own, opposing)


def root_configurations(n_empty):
    """Counts the configurations computed in one pass."""
    return sum(configurations(n_empty, n_added) for n_added in range(1, n_empty + 1))


def root_memory(n_empty, word_bytes):
    """Returns the bytes for a root: the slices held at once, and the tables of fives."""
    return slice_memory(n_empty, word_bytes) + fives_memory(n_empty)


def slice_memory(n_empty, word_bytes):
    """The largest slices with an even and an odd number of added marbles, which lie next to each other."""
    largest = [max(configurations(n_empty, n) for n in range(1, n_empty + 1) if n % 2 == parity) for parity in (0, 1)]
    return sum(largest) * word_bytes


def fives_memory(n_empty):
    """Returns the bytes of the tables that say at which of 256 rotations a set of cells has a five, for both colours."""
    return sum(comb(n_empty, size) for n_max in marbles(n_empty) for size in range(n_max + 1)) * 32


def parts(n_empty, n_added, n_split):
    """Splits a slice below a root by the contents of `n_split` of the root's empty cells.

    Blocks stay where they are at the root and turns are bits of a word, so the cells
    are always the same ones. Yields the contents (0 empty, 1 and 2 the colours) and the
    number of configurations with them.
    """
    own, opposing = marbles(n_added)
    for content in itertools.product((0, 1, 2), repeat=n_split):
        first, second = own - content.count(1), opposing - content.count(2)
        n_others = n_empty - n_split
        if min(first, second) >= 0 and first + second <= n_others:
            yield content, comb(n_others, first) * comb(n_others - first, second)


def traffic(n_empty, n_added, n_split, machine_of, word_bytes):
    """Returns the bytes that machines read from each other for this slice, from the one with one marble more.

    A marble on one of the other cells stays in the part. One on an empty split cell leads to the
    part with that marble, which has as many configurations, each read once.
    """
    colour = 1 if n_added % 2 == 0 else 2
    total = 0
    for content, size in parts(n_empty, n_added, n_split):
        for cell, on_it in enumerate(content):
            below = content[:cell] + (colour,) + content[cell + 1 :]
            if on_it == 0 and machine_of[below] != machine_of[content]:
                total += size * word_bytes
    return total


def spread(n_empty, n_split, n_machines):
    """Assigns parts to machines, the largest first, each to the least loaded machine, by the
    slice with most configurations. Also returns the excess of the fullest machine."""
    largest = max(range(1, n_empty + 1), key=lambda n_added: configurations(n_empty, n_added))
    sizes = dict.fromkeys(itertools.product((0, 1, 2), repeat=n_split), 0) | dict(parts(n_empty, largest, n_split))
    loads, machine_of = [0] * n_machines, {}
    for content in sorted(sizes, key=lambda content: (-sizes[content], content)):
        machine_of[content] = loads.index(min(loads))
        loads[machine_of[content]] += sizes[content]
    return machine_of, max(loads) / (sum(loads) / n_machines)
