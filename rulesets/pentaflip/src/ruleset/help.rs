//! The help texts that the host shows.

/// The rules, for players.
pub(crate) const RULES: &str = "\
Two players, White and Black, 22 rings each, on a board of 6 × 6 cells made of four panels that flip over. The four \
cells in the middle are spots, two of each colour; the other 32 are holes that take a ring on either side.
In turn, either place a ring or flip. A ring goes on top of an empty hole next to (not diagonally) a ring of yours on \
top or a spot of your colour, or on top of any hole that has a ring of yours underneath.
A flip turns over one panel, about its diagonal through the middle of the board, or one half of the board, left, \
right, top or bottom: what was underneath comes up. The flip of the turn before may not be made again at once.
Five or more of your rings and spots in a row on top (in a rank, a file or slanted) win, whoever's turn brought them \
there. Five for both at once is a draw, and so is a board with all 44 rings and no five. Without rings left, or \
without a place for one, you flip.";

/// The notation of positions and moves.
pub(crate) const NOTATION: &str = "\
Cells are a file `a` to `f` from the left and a rank `1` to `6` from the top: `a1` is top left. Panels are `1` top \
left, `2` top right, `3` bottom left, `4` bottom right; halves are `L`, `R`, `T`, `B`.
A move is a cell, `c2`, or `~` and what is flipped: `~1`, `~L`.
A position is the board on top, the board underneath, the side to move and the flip of the turn before (`-` if there \
was none): `6/6/2WB2/2BW2/6/6 6/6/6/6/6/6 w -`. A board is the six ranks from the top, separated by `/`, with `w` and \
`b` for rings, `W` and `B` for spots and digits for runs of empty holes. What is underneath is written at the cell it \
is underneath of, as seen from above; the spots count as empty there.
In drawings `c2'` is the hole underneath `c2`.";
