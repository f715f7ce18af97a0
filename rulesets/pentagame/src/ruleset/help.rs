//! The help texts on rules and notation.

pub(crate) const RULES: &str = "\
Two, three or four players race on a five-pointed star in a ring: 5 corners A to E, 5 crossings a to e, and 90 small \
stops between them. Each player has five figures: white starts on corner A and wants to reach crossing a on the \
other side, blue B and b, red C and c, yellow D and d, green E and e. Three figures out win.
In your turn you move one figure along the lines as far as you please, through free stops only. It ends on a free stop \
or on the first occupied one in its way. A black block there is beaten: you put it on any free stop. A grey block \
leaves the board. A figure there, your own or another's, swaps places with yours; the same two may not be swapped again \
in the very next turn.
A figure of yours that moved or was swapped and stands on its goal is out: it leaves the board, and you put a grey \
block on any free stop; if all five are on the board, you move one of them. A figure that another player brought to its goal stays \
there, and its owner must use the next turn to move it out.
The round is played to its end when somebody has three out, so that all have had the same number of turns; all players who \
have three out then share the win.";

pub(crate) const NOTATION: &str = "\
Stops: corners `A` to `E`, crossings `a` to `e`; a small stop is the two ends of its line with its number counted from \
the first: `A1B` lies next to A, `A6c` next to c. `B3A` is accepted for `A1B`.
A move is the figure and where it goes: `a-A3c`. Swapping names the other figure: `a-B=2b`. A beaten black block goes \
behind `@`: `a-c@A2B`. The grey block of a figure that moves out goes behind `+`: `d-d+C2D`, or `d-d+A1B>C2D` where one \
on the board is moved. `d!+C2D` moves out a figure that another player brought to its goal.
A position is the figures of each player in the order a to e (`*` for one that is out), the black blocks, the grey \
blocks or `-`, the player to move, and the two figures that the last turn swapped or `-`: \
`A,B,C,D,E/A,B,C,D,E a,b,c,d,e - 1 -`.";
