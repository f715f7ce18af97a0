//! Every clause of `RULES.md`: a position, a move, and the position and result after
//! it.

use pentad_sdk::Ruleset;
use pentad_sdk::testing::rule_text::{check_count, check_play};

use crate::reference::ReferenceGame;
use crate::support::{parse, rules};

const ALL: &[&str] = &["ffa2", "ffa3", "ffa4", "places3", "places4", "teams"];
const FFA2: &[&str] = &["ffa2"];
const FFA3: &[&str] = &["ffa3"];
const FFA4: &[&str] = &["ffa4"];
const PLACES3: &[&str] = &["places3"];
const PLACES4: &[&str] = &["places4"];
const TEAMS: &[&str] = &["teams"];
const FOUR: &[&str] = &["ffa4", "places4", "teams"];

struct Clause {
    rule: &'static str,
    variants: &'static [&'static str],
    position: &'static str,
    mv: &'static str,
    position_after: &'static str,
    /// Places and scores by player if the game is over after the move.
    result: &'static [(u32, f64)],
}

const fn clause(
    rule: &'static str,
    variants: &'static [&'static str],
    position: &'static str,
    mv: &'static str,
    position_after: &'static str,
    result: &'static [(u32, f64)],
) -> Clause {
    Clause { rule, variants, position, mv, position_after, result }
}

const GOES_ON: &[(u32, f64)] = &[];
const RED_OF_2: &[(u32, f64)] = &[(1, 1.0), (2, 0.0)];
const RED_OF_4: &[(u32, f64)] = &[(1, 1.0), (2, 0.0), (2, 0.0), (2, 0.0)];
const RED_AND_GREEN: &[(u32, f64)] = &[(1, 1.0), (3, 0.0), (1, 1.0), (3, 0.0)];
const YELLOW_AND_BLUE: &[(u32, f64)] = &[(3, 0.0), (1, 1.0), (3, 0.0), (1, 1.0)];
const DRAW_OF_4: &[(u32, f64)] = &[(1, 0.25), (1, 0.25), (1, 0.25), (1, 0.25)];
const TEAM_DRAW: &[(u32, f64)] = &[(1, 0.5), (1, 0.5), (1, 0.5), (1, 0.5)];

#[rustfmt::skip]
const CLAUSES: &[Clause] = &[
    clause("red starts; r turns clockwise as the board is drawn: a1 goes to c1", ALL,
        "9/9/9/9/9/9/9/9/9 r -", "a1-1r", "2r6/9/9/9/9/9/9/9/9 y -", GOES_ON),
    clause("l turns counter-clockwise: a1 goes to a3", ALL,
        "9/9/9/9/9/9/9/9/9 r -", "a1-1l", "9/9/r8/9/9/9/9/9/9 y -", GOES_ON),
    clause("block 2 is in the middle of the top", ALL, "9/9/9/9/9/9/9/9/9 r -", "d1-2r", "5r3/9/9/9/9/9/9/9/9 y -", GOES_ON),
    clause("block 3 is top right", ALL, "9/9/9/9/9/9/9/9/9 r -", "g1-3r", "8r/9/9/9/9/9/9/9/9 y -", GOES_ON),
    clause("block 4 is on the left", ALL, "9/9/9/9/9/9/9/9/9 r -", "a4-4r", "9/9/9/2r6/9/9/9/9/9 y -", GOES_ON),
    clause("block 6 is on the right", ALL, "9/9/9/9/9/9/9/9/9 r -", "g4-6l", "9/9/9/9/9/6r2/9/9/9 y -", GOES_ON),
    clause("block 7 is bottom left", ALL, "9/9/9/9/9/9/9/9/9 r -", "a7-7r", "9/9/9/9/9/9/2r6/9/9 y -", GOES_ON),
    clause("block 8 is in the middle of the bottom", ALL, "9/9/9/9/9/9/9/9/9 r -", "d7-8r", "9/9/9/9/9/9/5r3/9/9 y -", GOES_ON),
    clause("block 9 is bottom right", ALL, "9/9/9/9/9/9/9/9/9 r -", "g7-9r", "9/9/9/9/9/9/8r/9/9 y -", GOES_ON),
    clause("a marble in the centre block stays where it is; an empty block may be turned", ALL,
        "9/9/9/9/9/9/9/9/9 r -", "d4-9l", "9/9/9/3r5/9/9/9/9/9 y -", GOES_ON),
    clause("the middle of a block stays", ALL, "9/9/9/9/9/9/9/9/9 r -", "b2-1r", "9/1r7/9/9/9/9/9/9/9 y -", GOES_ON),
    clause("a block takes all colours along", ALL, "r8/9/9/9/9/9/9/9/9 y -", "b1-1r", "2r6/2y6/9/9/9/9/9/9/9 XX -", GOES_ON),
    clause("two players: yellow is followed by red", FFA2, "r8/9/9/9/9/9/9/9/9 y -", "i9-1r", "2r6/9/9/9/9/9/9/9/8y r -", GOES_ON),
    clause("three players: green is followed by red", &["ffa3", "places3"],
        "r8/9/9/9/9/9/9/9/8y g -", "a9-1r", "2r6/9/9/9/9/9/9/9/g7y r -", GOES_ON),
    clause("four players: green is followed by blue", FOUR,
        "r8/9/9/9/9/9/9/9/8y g -", "a9-1r", "2r6/9/9/9/9/9/9/9/g7y b -", GOES_ON),
    clause("blue is followed by red", FOUR, "r8/9/9/9/9/9/9/9/g7y b -", "i1-1r", "2r5b/9/9/9/9/9/9/9/g7y r -", GOES_ON),

    clause("five by placing finishes at once, without a turn: two players", FFA2,
        "rrrr5/9/9/9/9/9/9/9/y1y1y1y2 r -", "e1", "rrrrr4/9/9/9/9/9/9/9/y1y1y1y2 y -", RED_OF_2),
    clause("the other player wins in the same way", FFA2,
        "r1r1r1r1r/9/9/9/9/9/9/9/yyyy5 y -", "e9", "r1r1r1r1r/9/9/9/9/9/9/9/yyyyy4 r -", &[(2, 0.0), (1, 1.0)]),
    clause("three players", FFA3,
        "rrrr5/9/9/y1y1y1y2/9/9/g1g1g1g2/9/9 r -", "e1", "rrrrr4/9/9/y1y1y1y2/9/9/g1g1g1g2/9/9 y -",
        &[(1, 1.0), (2, 0.0), (2, 0.0)]),
    clause("four players", FFA4,
        "rrrr5/9/9/y1y1y1y2/9/9/g1g1g1g2/9/b1b1b1b2 r -", "e1", "rrrrr4/9/9/y1y1y1y2/9/9/g1g1g1g2/9/b1b1b1b2 y -", RED_OF_4),
    clause("for a team it wins", TEAMS,
        "rrrr5/9/9/y1y1y1y2/9/9/g1g1g1g2/9/b1b1b1b2 r -", "e1", "rrrrr4/9/9/y1y1y1y2/9/9/g1g1g1g2/9/b1b1b1b2 y -", RED_AND_GREEN),
    clause("for places the others play on", PLACES4,
        "rrrr5/9/9/y1y1y1y2/9/9/g1g1g1g2/9/b1b1b1b2 r -", "e1", "rrrrr4/9/9/y1y1y1y2/9/9/g1g1g1g2/9/b1b1b1b2 y r1", GOES_ON),
    clause("six in a row are five or more", FFA2,
        "rrr1rr3/9/9/9/9/9/9/9/y1y1y1y1y r -", "d1", "rrrrrr3/9/9/9/9/9/9/9/y1y1y1y1y y -", RED_OF_2),
    clause("nine in a row are, too", FFA2,
        "rrrr1rrrr/9/9/y1y1y1y1y/9/9/9/9/y1y1y4 r -", "e1", "rrrrrrrrr/9/9/y1y1y1y1y/9/9/9/9/y1y1y4 y -", RED_OF_2),
    clause("a file will do", FFA2,
        "9/9/8r/8r/8r/8r/9/9/y1y1y1y2 r -", "i7", "9/9/8r/8r/8r/8r/8r/9/y1y1y1y2 y -", RED_OF_2),
    clause("so will a slanted line through the centre block", FFA2,
        "9/9/2r6/3r5/9/5r3/6r2/9/y1y1y1y2 r -", "e5", "9/9/2r6/3r5/4r4/5r3/6r2/9/y1y1y1y2 y -", RED_OF_2),
    clause("and a short one that goes the other way", FFA2,
        "9/9/9/9/4r4/3r5/9/1r7/r1y1y1yy1 r -", "c7", "9/9/9/9/4r4/3r5/2r6/1r7/r1y1y1yy1 y -", RED_OF_2),
    clause("four in a row are not enough", FFA2,
        "rrr6/9/9/9/9/9/9/9/y1y1y4 r -", "d1-9r", "rrrr5/9/9/9/9/9/9/9/y1y1y4 y -", GOES_ON),
    clause("a line does not go on at the other edge", FFA2,
        "6rrr/rr7/9/9/9/9/9/9/y1y1y1yy1 r -", "i9-4r", "6rrr/rr7/9/9/9/9/9/9/y1y1y1yyr y -", GOES_ON),
    clause("nor is it made of two colours", FFA2,
        "rryr5/9/9/9/9/9/9/9/y1y6 r -", "e1-9r", "rryrr4/9/9/9/9/9/9/9/y1y6 y -", GOES_ON),

    clause("five for the mover by turning", FFA4,
        "r2rr4/r8/9/y1y1y1y2/9/9/g1g1g1g2/9/b1b1b1b2 r -", "a3-1r", "rrrrr4/9/9/y1y1y1y2/9/9/g1g1g1g2/9/b1b1b1b2 y -", RED_OF_4),
    clause("for places, the mover has finished", PLACES4,
        "r2rr4/r8/9/y1y1y1y2/9/9/g1g1g1g2/9/b1b1b1b2 r -", "a3-1r", "rrrrr4/9/9/y1y1y1y2/9/9/g1g1g1g2/9/b1b1b1b2 y r1", GOES_ON),
    clause("five for another player by one's turn: two players", FFA2,
        "y2yy4/y8/y8/r1r1r1r1r/9/9/9/9/9 r -", "i9-1r", "yyyyy4/9/9/r1r1r1r1r/9/9/9/9/8r y -", &[(2, 0.0), (1, 1.0)]),
    clause("four players", FFA4,
        "y2yy4/y8/y8/r1r1r1r1r/9/9/g1g1g1g1g/9/b1b1b1b1b r -", "i8-1r",
        "yyyyy4/9/9/r1r1r1r1r/9/9/g1g1g1g1g/8r/b1b1b1b1b y -", &[(2, 0.0), (1, 1.0), (2, 0.0), (2, 0.0)]),
    clause("given to the other team, it loses", TEAMS,
        "y2yy4/y8/y8/r1r1r1r1r/9/9/g1g1g1g1g/9/b1b1b1b1b r -", "i8-1r",
        "yyyyy4/9/9/r1r1r1r1r/9/9/g1g1g1g1g/8r/b1b1b1b1b y -", YELLOW_AND_BLUE),
    clause("for places, yellow has finished and is skipped", PLACES4,
        "y2yy4/y8/y8/r1r1r1r1r/9/9/g1g1g1g1g/9/b1b1b1b1b r -", "i8-1r",
        "yyyyy4/9/9/r1r1r1r1r/9/9/g1g1g1g1g/8r/b1b1b1b1b g y1", GOES_ON),
    clause("five of the partner's colour wins for the team", TEAMS,
        "g2gg4/g8/g8/r1r1r1r1r/9/9/y1y1y1y1y/9/b1b1b1b1b r -", "i8-1r",
        "ggggg4/9/9/r1r1r1r1r/9/9/y1y1y1y1y/8r/b1b1b1b1b y -", RED_AND_GREEN),
    clause("a five of two colours of one team is none", TEAMS,
        "rgrg5/9/9/y1y6/9/9/9/9/b1b6 r -", "e1-9r", "rgrgr4/9/9/y1y6/9/9/9/9/b1b6 y -", GOES_ON),
    clause("who finish by the same turn share the win", FFA2,
        "ry1rr4/ry1yy4/1y7/9/9/9/9/9/8r r -", "a3-1r", "rrrrr4/yyyyy4/9/9/9/9/9/9/8r y -", &[(1, 0.5), (1, 0.5)]),
    clause("three players, two of whom share", FFA3,
        "yg1yy4/yg1gg4/yg7/r1r1r1r1r/9/9/9/9/9 r -", "i8-1r", "yyyyy4/ggggg4/9/r1r1r1r1r/9/9/9/8r/9 y -",
        &[(3, 0.0), (1, 0.5), (1, 0.5)]),
    clause("four players, two of whom share", FFA4,
        "yg1yy4/yg1gg4/yg7/r1r1r1r1r/9/9/9/9/b1b1b1b1b r -", "i8-1r", "yyyyy4/ggggg4/9/r1r1r1r1r/9/9/9/8r/b1b1b1b1b y -",
        &[(3, 0.0), (1, 0.5), (1, 0.5), (3, 0.0)]),
    clause("three of four share", FFA4,
        "ygbyy4/ygbgg4/ygbbb4/r1r1r1r1r/9/9/9/9/9 r -", "i8-1r", "yyyyy4/ggggg4/bbbbb4/r1r1r1r1r/9/9/9/8r/9 y -",
        &[(4, 0.0), (1, 1.0 / 3.0), (1, 1.0 / 3.0), (1, 1.0 / 3.0)]),
    clause("fives for both teams by the same turn are a draw", TEAMS,
        "yg1yy4/yg1gg4/yg7/r1r1r1r1r/9/9/9/9/b1b1b1b1b r -", "i8-1r", "yyyyy4/ggggg4/9/r1r1r1r1r/9/9/9/8r/b1b1b1b1b y -", TEAM_DRAW),
    clause("fives of both players of one team win", TEAMS,
        "yb1yy4/yb1bb4/yb7/r1r1r1r1r/9/9/g1g1g1g1g/9/9 r -", "i8-1r", "yyyyy4/bbbbb4/9/r1r1r1r1r/9/9/g1g1g1g1g/8r/9 y -",
        YELLOW_AND_BLUE),
    clause("for places they share the first, and the next one is placed 3", PLACES4,
        "yg1yy4/yg1gg4/yg7/r1r1r1r1r/9/9/9/9/b1b1b1b1b r -", "i8-1r", "yyyyy4/ggggg4/9/r1r1r1r1r/9/9/9/8r/b1b1b1b1b b y1g1", GOES_ON),
    clause("the next one is placed 3, and the one left takes the last place", PLACES4,
        "yyyyy4/ggggg4/9/r1r1r1r2/9/9/9/9/bbbb5 r y1g1", "i4-1r", "1gyyy4/1gygg4/1gy6/r1r1r1r1r/9/9/9/9/bbbb5 b y1g1", GOES_ON),
    clause("and then", PLACES4,
        "yyyyy4/ggggg4/9/r1r1r1r2/9/8r/9/9/bbbb5 b y1g1", "e9", "yyyyy4/ggggg4/9/r1r1r1r2/9/8r/9/9/bbbbb4 r y1g1b3",
        &[(4, 0.0), (1, 5.0 / 6.0), (1, 5.0 / 6.0), (3, 1.0 / 3.0)]),

    clause("finished players are skipped; their marbles stay and turn, and so does their place", PLACES4,
        "yyyyy4/9/9/r1r1r1r2/9/9/g1g1g1g2/9/b1b1b1b2 r y1", "i8-1r", "2yyy4/2y6/2y6/r1r1r1r2/9/9/g1g1g1g2/8r/b1b1b1b2 g y1", GOES_ON),
    clause("a five that a finished player gets back means nothing", PLACES4,
        "2yyy4/2y6/2y6/r1r1r1r2/9/9/g1g1g1g2/9/b1b1b1b2 r y1", "i8-1l", "yyyyy4/9/9/r1r1r1r2/9/9/g1g1g1g2/8r/b1b1b1b2 g y1", GOES_ON),
    clause("a finished player's marbles block", PLACES4,
        "rrrry4/9/9/yyyy5/9/9/g1g1g1g2/9/b1b1b1b2 r y1", "f1-9r", "rrrryr3/9/9/yyyy5/9/9/g1g1g1b1g/9/b1b1b4 g y1", GOES_ON),
    clause("blue is followed by yellow if red has finished", PLACES4,
        "rrrrr4/9/9/y1y1y1y2/9/9/g1g1g1g2/9/b1b1b4 b r1", "i8-1r", "2rrr4/2r6/2r6/y1y1y1y2/9/9/g1g1g1g2/8b/b1b1b4 y r1", GOES_ON),
    clause("two of three have finished: the one left is last and would be next", PLACES3,
        "rrrr5/9/9/yyyyy4/9/9/g1g1g1g2/9/9 r y1", "e1", "rrrrr4/9/9/yyyyy4/9/9/g1g1g1g2/9/9 g r2y1",
        &[(2, 0.5), (1, 1.0), (3, 0.0)]),
    clause("three of four have finished", PLACES4,
        "rrrr5/9/9/yyyyy4/9/9/ggggg4/9/b1b1b1b2 r y1g2", "e1", "rrrrr4/9/9/yyyyy4/9/9/ggggg4/9/b1b1b1b2 b r3y1g2",
        &[(3, 1.0 / 3.0), (1, 1.0), (2, 2.0 / 3.0), (4, 0.0)]),
    clause("all who are left finish at once: nobody is left, and the next colour is named", PLACES3,
        "rg1rr4/rg1gg4/1g7/9/yyyyy4/9/9/9/8r r y1", "a3-1r", "rrrrr4/ggggg4/9/9/yyyyy4/9/9/9/8r y r2y1g2",
        &[(2, 0.25), (1, 1.0), (2, 0.25)]),
    clause("two share the first place of three, and the third is last", PLACES3,
        "yg1yy4/yg1gg4/yg7/r1r1r1r1r/9/9/9/9/9 r -", "i8-1r", "yyyyy4/ggggg4/9/r1r1r1r1r/9/9/9/8r/9 r y1g1",
        &[(3, 0.0), (1, 0.75), (1, 0.75)]),
    clause("three share the first place of four", PLACES4,
        "ygbyy4/ygbgg4/ygbbb4/r1r1r1r1r/9/9/9/9/9 r -", "i8-1r", "yyyyy4/ggggg4/bbbbb4/r1r1r1r1r/9/9/9/8r/9 r y1g1b1",
        &[(4, 0.0), (1, 2.0 / 3.0), (1, 2.0 / 3.0), (1, 2.0 / 3.0)]),

    clause("the last marble is followed by a turn; a full board without five is shared by all", FFA4,
        "gb1yyygyg/yybybbryr/ggygrbyry/bgbgrgbyg/bybrryybb/grgggrbgg/brbyrryyg/rgrbbbygr/rybrrrrbg r -", "c1-3l",
        "gbryyygry/yybybbyyr/ggygrbgry/bgbgrgbyg/bybrryybb/grgggrbgg/brbyrryyg/rgrbbbygr/rybrrrrbg y -", DRAW_OF_4),
    clause("three players share a third each", FFA3,
        "rgryggyry/rgygrrggy/ryyyrrgyr/gyyygyyrg/grrryggyr/ryryrryyr/gyggy1ggg/grrygyyyr/rrgrggygr g -", "f7-6r",
        "rgryggyry/rgygrrggy/ryyyrrgyr/gyyygyygy/grrrygyyr/ryryrrrrg/gyggygggg/grrygyyyr/rrgrggygr r -",
        &[(1, 1.0 / 3.0), (1, 1.0 / 3.0), (1, 1.0 / 3.0)]),
    clause("for teams a full board is a draw", TEAMS,
        "gb1yyygyg/yybybbryr/ggygrbyry/bgbgrgbyg/bybrryybb/grgggrbgg/brbyrryyg/rgrbbbygr/rybrrrrbg r -", "c1-3l",
        "gbryyygry/yybybbyyr/ggygrbgry/bgbgrgbyg/bybrryybb/grgggrbgg/brbyrryyg/rgrbbbygr/rybrrrrbg y -", TEAM_DRAW),
    clause("for places all share the first place", PLACES4,
        "gb1yyygyg/yybybbryr/ggygrbyry/bgbgrgbyg/bybrryybb/grgggrbgg/brbyrryyg/rgrbbbygr/rybrrrrbg r -", "c1-3l",
        "gbryyygry/yybybbyyr/ggygrbgry/bgbgrgbyg/bybrryybb/grgggrbgg/brbyrryyg/rgrbbbygr/rybrrrrbg y -",
        &[(1, 0.5), (1, 0.5), (1, 0.5), (1, 0.5)]),
    clause("the last marble may make five, without a turn", FFA4,
        "rgbrggbyg/b1yyryygy/rgryyggyy/bbyrbggrg/rrbbrgyrr/brggbbbyb/gyggrbrgb/ryygrrrbg/rbyybyybb r -", "b2",
        "rgbrggbyg/bryyryygy/rgryyggyy/bbyrbggrg/rrbbrgyrr/brggbbbyb/gyggrbrgb/ryygrrrbg/rbyybyybb y -", RED_OF_4),
    clause("and then the others share the second place", PLACES4,
        "rgbrggbyg/b1yyryygy/rgryyggyy/bbyrbggrg/rrbbrgyrr/brggbbbyb/gyggrbrgb/ryygrrrbg/rbyybyybb r -", "b2",
        "rgbrggbyg/bryyryygy/rgryyggyy/bbyrbggrg/rrbbrgyrr/brggbbbyb/gyggrbrgb/ryygrrrbg/rbyybyybb y r1",
        &[(1, 1.0), (2, 1.0 / 3.0), (2, 1.0 / 3.0), (2, 1.0 / 3.0)]),
    clause("the last turn is scored", FFA4,
        "gryrrbggy/1grrgygyr/gbgygbyrr/gryrbrbby/rbgggbrbg/bybbbggrb/rrbyybbgr/ygryybbyy/rgygyyybr r -", "a2-2l",
        "grybybggy/rgrrgggyr/gbgrryyrr/gryrbrbby/rbgggbrbg/bybbbggrb/rrbyybbgr/ygryybbyy/rgygyyybr y -", RED_OF_4),
    clause("also for another player", FFA3,
        "rrygryggr/ryygrgrrr/gygryygrg/gygyryyyy/yggrgggyy/gyyrryryg/rrggrrygg/yr1yrggyy/yrrryrggr g -", "c8-8l",
        "rrygryggr/ryygrgrrr/gygryygrg/gygyryyyy/yggrgggyy/gyyrryryg/rrgrgrygg/yrgrrygyy/yrrgyrggr r -",
        &[(2, 0.0), (1, 1.0), (2, 0.0)]),
    clause("who are left on a full board share the next place", PLACES3,
        "yyyrrgyrr/yyrrrrggr/yrygggyry/yyrygyyyg/ryrgryrgy/yggrggrrg/g1rryyggg/rgygrrggg/yyrryryrg y g1", "b7-1r",
        "yyyrrgyrr/ryyrrrggr/yrygggyry/yyrygyyyg/ryrgryrgy/yggrggrrg/gyrryyggg/rgygrrggg/yyrryryrg r g1",
        &[(2, 0.25), (2, 0.25), (1, 1.0)]),
    clause("the last turn may still give a place", PLACES4,
        "bgyrrrrry/brgb1gryy/bryyyygby/gryygbbgy/gbggyrryr/bbybbybgg/byygrgbrg/rbgyrybby/gbgygrrgg g r1b2", "e2-3r",
        "bgyrrrgrr/brgbggbyr/bryyyyyyy/gryygbbgy/gbggyrryr/bbybbybgg/byygrgbrg/rbgyrybby/gbgygrrgg g r1y3b2",
        &[(1, 1.0), (3, 1.0 / 3.0), (4, 0.0), (2, 2.0 / 3.0)]),
];

/// Each clause holds in its variants, for the crate and for the reference.
#[test]
fn clauses_hold() {
    for clause in CLAUSES {
        for variant in clause.variants {
            let game = rules(variant);
            let context = format!("{variant}: {}", clause.rule);
            // After yellow, red or green is to move.
            let position_after = clause.position_after.replace("XX", if *variant == "ffa2" { "r" } else { "g" });
            check_play(&game, &context, clause.position, clause.mv, &position_after);
            let reference = ReferenceGame::parse(variant, clause.position).expect(clause.rule);
            assert_eq!(reference.play(clause.mv).format(), position_after, "{context}");
            // The outcome follows from the text alone.
            let outcome = game.outcome(&parse(&game, &position_after));
            assert_eq!(outcome.is_some(), !clause.result.is_empty(), "{context}: {outcome:?}");
            if let Some(outcome) = outcome {
                let places: Vec<u32> = clause.result.iter().map(|(place, _)| *place).collect();
                assert_eq!(outcome.places, places, "{context}");
                for ((_, wanted), score) in clause.result.iter().zip(outcome.scores.as_slice()) {
                    assert!((wanted - score).abs() < 1e-12, "{context}: {:?}", outcome.scores);
                }
            }
        }
    }
}

/// The text of an outcome names the right players.
#[test]
fn outcome_texts_name_the_players() {
    for (variant, position, sentence) in [
        ("ffa2", "rrrrr4/9/9/9/9/9/9/9/y1y1y1y2 y -", "Red has five in a row and wins."),
        (
            "ffa4",
            "yyyyy4/ggggg4/9/r1r1r1r1r/9/9/9/8r/b1b1b1b1b y -",
            "Yellow and Green have five in a row by the same turn and share the win.",
        ),
        (
            "teams",
            "yyyyy4/9/9/r1r1r1r1r/9/9/g1g1g1g1g/8r/b1b1b1b1b y -",
            "Yellow has five in a row: Yellow and Blue win.",
        ),
        (
            "teams",
            "yyyyy4/ggggg4/9/r1r1r1r1r/9/9/9/8r/b1b1b1b1b y -",
            "Both teams have five in a row by the same turn: a draw.",
        ),
        (
            "places4",
            "yyyyy4/ggggg4/9/r1r1r1r2/9/8r/9/9/bbbbb4 r y1g1b3",
            "Yellow and Green share the first place, Blue is third, Red is fourth.",
        ),
    ] {
        let game = rules(variant);
        assert_eq!(game.outcome(&parse(&game, position)).unwrap().text, sentence);
    }
}

/// Numbers of legal moves, derived from the rules.
#[rustfmt::skip]
const COUNTS: &[(&[&str], &str, u64)] = &[
    (ALL, "9/9/9/9/9/9/9/9/9 r -", 1_296),
    (ALL, "r8/9/9/9/9/9/9/9/9 y -", 1_280),
    // One of 73 cells makes five and is listed without turns.
    (FFA2, "rrrr5/9/9/9/9/9/9/9/y1y1y1y2 r -", 72 * 16 + 1),
    // Two of 73 cells do.
    (FFA2, "1rrrr4/9/9/9/9/9/9/9/y1y1y1y2 r -", 71 * 16 + 2),
    (FFA4, "gb1yyygyg/yybybbryr/ggygrbyry/bgbgrgbyg/bybrryybb/grgggrbgg/brbyrryyg/rgrbbbygr/rybrrrrbg r -", 16),
    (FFA2, "rrrrr4/9/9/9/9/9/9/9/y1y1y1y2 y -", 0),
    (PLACES3, "rrrrr4/9/9/yyyyy4/9/9/g1g1g1g2/9/9 g r2y1", 0),
    // A five that another player could make does not count for the player to move.
    (PLACES3, "rrrr5/9/9/y1y1y1y2/9/9/g1g1g4/9/9 g -", 70 * 16),
];

/// Counted and listed numbers of legal moves agree.
#[test]
fn move_counts_agree() {
    for (variants, position, count) in COUNTS {
        variants.iter().for_each(|variant| check_count(&rules(variant), position, *count));
    }
}
