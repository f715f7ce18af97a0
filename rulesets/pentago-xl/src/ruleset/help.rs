//! The help texts on rules and notation.

/// How the game is played.
pub(crate) const RULES: &str = "\
Two, three or four players on a board of 9 × 9 holes made of nine blocks of 3 × 3. The block in the middle is \
fixed; the other eight can be turned. Red begins, then Yellow, Green and Blue, as many as play.
In turn, place a marble of your colour on an empty hole. If that makes five or more of your colour in a row (in a \
rank, a file or slanted), you have finished at once. Otherwise turn one of the eight blocks a quarter turn either \
way, also an empty one; everybody who then has five in a row of their own colour has finished, whoever turned.
In `ffa2`, `ffa3` and `ffa4` those who finish first win, or share the win, and the others lose; a full board \
without five is a draw. In `places3` and `places4` the others play on for the places that are left; players who \
finish by the same turn share a place, and so do all who are left when the board is full. In `teams` Red and Green \
play against Yellow and Blue, and a five of either player wins for both; fives of both teams by one turn, or a \
full board, are a draw.";

/// How positions and moves are written.
pub(crate) const NOTATION: &str = "\
Cells are a file `a` to `i` from the left and a rank `1` to `9` from the top: `a1` is top left. Blocks are `1` to \
`9`, rank by rank from the top left; `5` is the fixed one.
A move is the cell, `-`, the block and `r` (clockwise) or `l` (counter-clockwise): `e5-9l`. A placement that makes \
five is the cell alone: `e5`.
A position is the nine ranks from the top, separated by `/`, with `r`, `y`, `g`, `b` and digits for runs of empty \
cells, then the side to move, then the places: `9/9/9/9/4r4/9/9/9/9 y -`. The places are `-`, or in `places3` and \
`places4` the players who have finished, in playing order, each with the place: `r2y1`.";
