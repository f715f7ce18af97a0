//! The help texts that the host shows.

/// The rules, for players.
pub(crate) const RULES: &str = "\
Two players, White and Black, on a board of 6 × 6 holes made of four blocks of 3 × 3 that can be turned.
In turn, place a marble of your colour on an empty hole and then turn one of the four blocks a quarter turn \
either way. Any block may be turned, also an empty one.
Five or more of your marbles in a row (in a rank, a file or slanted) win. If the placement alone makes \
five, you have won at once and do not turn. After a turn, five for you wins, five for the opponent wins for the \
opponent, and five for both is a draw. A full board without five is a draw.
Variants: `finnish` lets you skip the turn while a block is empty after your placement, and gives two fives by a \
turn to the player who turned. `czech` lets the opponent answer a five made by turning with one marble, \
without a turn: five by that marble is a draw. `clockwise` only turns clockwise.";

/// The notation of positions and moves.
pub(crate) const NOTATION: &str = "\
Cells are a file `a` to `f` from the left and a rank `1` to `6` from the top: `a1` is top left. \
Blocks are `1` top left, `2` top right, `3` bottom left, `4` bottom right.
A move is the cell, `-`, the block and `r` (clockwise) or `l` (counter-clockwise): `c3-2r`. A placement without \
a turn is the cell alone: `c3`. A reply in `czech` is a cell alone or `pass`.
A position is the six ranks from the top, separated by `/`, with `w`, `b` and digits for runs of empty cells, then \
the side to move: `6/6/2w3/6/6/6 b`. In `czech` the word `reply` follows while a reply is pending.";
