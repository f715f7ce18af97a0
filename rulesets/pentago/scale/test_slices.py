"""Compares slices.py with brute force where possible, and with published figures.

Run by `check`, or here: python3 -m unittest test_slices.py
"""

import collections
import itertools
import unittest

import slices


def boards(n):
    """Yields all boards with n marbles, as strings of 36 letters."""
    white, black = slices.marbles(n)
    for whites in itertools.combinations(range(36), white):
        for blacks in itertools.combinations(sorted(set(range(36)) - set(whites)), black):
            yield "".join("w" if cell in whites else "b" if cell in blacks else "." for cell in range(36))


def turned(board, block):
    """Returns the board with one block turned by 90 degrees."""
    top, left = 3 * (block // 2), 3 * (block % 2)
    cells = list(board)
    for y, x in itertools.product(range(3), repeat=2):
        cells[(top + x) * 6 + left + 2 - y] = board[(top + y) * 6 + left + x]
    return "".join(cells)


def class_of(board):
    """Returns all boards that turns of blocks lead to."""
    seen, todo = {board}, [board]
    while todo:
        one = todo.pop()
        for block in range(4):
            if (next_one := turned(one, block)) not in seen:
                seen.add(next_one)
                todo.append(next_one)
    return frozenset(seen)


class SlicesTest(unittest.TestCase):
    def test_positions_are_those_that_can_be_listed(self):
        symmetries = list(slices.square_symmetries())
        self.assertEqual(len({tuple(symmetry) for symmetry in symmetries}), 8)
        for n in range(4):
            distinct = {min("".join(board[cell] for cell in symmetry) for symmetry in symmetries) for board in boards(n)}
            self.assertEqual(slices.positions(n), len(distinct), f"{n} marbles")

    def test_the_whole_game_is_as_large_as_published(self):
        # Irving, arXiv 1404.0743, and https://perfect-pentago.net/details.html.
        self.assertEqual(sum(map(slices.positions, range(37))), 3_009_081_623_421_558)
        self.assertEqual(max(range(37), key=slices.positions), 24)

    def test_nodes_are_the_classes_of_boards_under_turns(self):
        for n in range(3):
            by_section = collections.defaultdict(set)
            for board in boards(n):
                counts = []
                for top, left in ((0, 0), (0, 3), (3, 3), (3, 0)):
                    rows = [board[(top + y) * 6 + left :][:3] for y in range(3)]
                    counts.append(("".join(rows).count("w"), "".join(rows).count("b")))
                if tuple(counts) == slices.canonical(tuple(counts)):
                    by_section[tuple(counts)].add(class_of(board))
            found = {section: slices.nodes(section) for section in slices.sections(n)}
            self.assertEqual(found, {section: len(classes) for section, classes in by_section.items()}, f"{n} marbles")

    def test_a_full_board_has_no_next_slice(self):
        self.assertEqual(slices.whole_slice(36).reads, 0)

    def test_most_nodes_have_256_positions(self):
        # Fewer if a block looks the same when turned, or the board when mirrored.
        largest = slices.whole_slice(24)
        self.assertTrue(largest.positions < 256 * largest.nodes < 1.2 * largest.positions, largest)

    def test_reads_of_a_split_root_are_those_of_its_configurations(self):
        n_empty, n_split = 7, 3
        machine_of, _ = slices.spread(n_empty, n_split, 4)
        self.assertEqual(set(machine_of.values()), set(range(4)))
        for n_added in range(1, n_empty):
            own, opposing = slices.marbles(n_added)
            listed = [c for c in itertools.product((0, 1, 2), repeat=n_empty) if (c.count(1), c.count(2)) == (own, opposing)]
            self.assertEqual(len(listed), slices.configurations(n_empty, n_added))
            colour, n_reads = 1 if n_added % 2 == 0 else 2, 0
            for configuration in listed:
                for cell in (cell for cell in range(n_empty) if configuration[cell] == 0):
                    below = configuration[:cell] + (colour,) + configuration[cell + 1 :]
                    n_reads += machine_of[configuration[:n_split]] != machine_of[below[:n_split]]
            self.assertGreater(n_reads, 0)
            self.assertEqual(slices.traffic(n_empty, n_added, n_split, machine_of, 1), n_reads, f"{n_added} added")

    def test_one_machine_reads_nothing_from_others(self):
        machine_of, _ = slices.spread(9, 2, 1)
        self.assertEqual(slices.traffic(9, 4, 2, machine_of, 16), 0)

    def test_roots_take_what_the_solver_plans(self):
        # MiB that `cargo bench -p pentago --bench solver -- 20 18 17` prints, whose plan includes some more small tables.
        for n_marbles, way, planned in ((20, "one pass", 126.0), (18, "one pass", 982.4), (17, "two passes", 1440.6)):
            mib = slices.root_memory(36 - n_marbles, slices.WORD_BYTES[way]) / 2**20
            self.assertAlmostEqual(mib / planned, 1, delta=0.005, msg=f"{n_marbles} marbles, {way}")


if __name__ == "__main__":
    unittest.main()
