"""The types of the contract.

Written by generate_types.py from the server's OpenAPI document; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Required, TypedDict

__all__ = [
    "AnalysisAnswer",
    "AnalysisQuestion",
    "AnalysisUpdate",
    "BatchDone",
    "BatchProgress",
    "Certainty",
    "ComparisonAnswer",
    "ComparisonQuestion",
    "Detail",
    "DiagramQuestion",
    "Evaluation",
    "EvaluationAnswer",
    "EvaluationQuestion",
    "ExplorationAnswer",
    "ExplorationQuestion",
    "ExploredMove",
    "Game",
    "GameAnswer",
    "GameOutcome",
    "GamesAnswer",
    "Hint",
    "HintsAnswer",
    "HintsQuestion",
    "JudgeAnswer",
    "JudgeQuestion",
    "Layout",
    "LayoutBlock",
    "LayoutEdge",
    "LayoutLabel",
    "LayoutPiece",
    "LayoutPoint",
    "Limits",
    "MoveComparison",
    "MoveLabel",
    "MoveReason",
    "MovesAnswer",
    "MovesQuestion",
    "Outcome",
    "PolicyMove",
    "PositionAnswer",
    "PositionQuestion",
    "Problem",
    "Puzzle",
    "PuzzleMessage",
    "PuzzleProgress",
    "PuzzleQuestion",
    "PuzzlesAnswer",
    "Reason",
    "ReasonCode",
    "ReviewAnswer",
    "ReviewMessage",
    "ReviewProgress",
    "ReviewQuestion",
    "ReviewSummary",
    "ReviewedMove",
    "SeatJudgement",
    "SeatReview",
    "Source",
    "StopReason",
    "Threat",
    "ThreatKind",
    "ThreatsAnswer",
    "ThreatsQuestion",
    "Variant",
]

@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisAnswer:
    """A whole analysis."""
    final: HintsAnswer
    """The last hints."""
    updates: list[HintsAnswer]
    """The hints as they improved, up to the last 100 updates."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> AnalysisAnswer:
        """Reads the JSON form."""
        return cls(
            final=HintsAnswer.from_json(json["final"]),
            updates=[HintsAnswer.from_json(item) for item in json.get("updates", [])],
        )


class AnalysisQuestion(TypedDict, total=False):
    """A position to find the best moves of, and how often to report them."""
    allow_moves: Sequence[str]
    """Only these moves are considered."""
    avoid_moves: Sequence[str]
    """These moves are not considered."""
    count: int
    """As in a question for hints."""
    detail: Detail
    """How much a hint reveals; everything by default."""
    level: int
    """As in a question for hints."""
    limits: Limits
    """Limits of the search."""
    moves: Sequence[str]
    """Moves played from the position; none by default."""
    policy: bool
    """As in a question for hints."""
    position: str
    """Position in the game's notation; the start by default."""
    report_interval_ms: int
    """At most one update per interval, the latest one; the first and the last are sent at once.
    Every improvement by default.
    """
    seed: int
    """As in a question for hints."""
    variant: str
    """Id of the variant; the game's first by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HintsAnswer:
    """The best moves."""
    cached: bool
    """Whether the result comes from the cache."""
    depth: int
    """Completed search depth in plies."""
    elapsed_ms: float
    """Time from the arrival of the request to the response."""
    evaluation: Evaluation
    """The value of the position."""
    hints: list[Hint]
    """Best first; below level 10 in the order in which that level would choose."""
    key: str
    """As in the response of `position`."""
    nodes: int
    """Positions visited."""
    policy: list[PolicyMove]
    """With `policy`, every different move that was valued, best first; else empty."""
    position: str
    """The position after `moves`, in canonical form."""
    stop_reason: StopReason | None
    """Why the search stopped; null while it is running."""
    to_move: str
    """Id of the seat whose turn it is."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> HintsAnswer:
        """Reads the JSON form."""
        return cls(
            cached=json.get("cached", False),
            depth=json.get("depth", 0),
            elapsed_ms=json.get("elapsedMs", 0.0),
            evaluation=Evaluation.from_json(json["evaluation"]),
            hints=[Hint.from_json(item) for item in json.get("hints", [])],
            key=json.get("key", ""),
            nodes=json.get("nodes", 0),
            policy=[PolicyMove.from_json(item) for item in json.get("policy", [])],
            position=json.get("position", ""),
            stop_reason=json.get("stopReason"),
            to_move=json.get("toMove", ""),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisUpdate(HintsAnswer):
    """The hints found so far."""
    final: bool
    """Whether this is the last update."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> AnalysisUpdate:
        """Reads the JSON form."""
        return cls(
            cached=json.get("cached", False),
            depth=json.get("depth", 0),
            elapsed_ms=json.get("elapsedMs", 0.0),
            evaluation=Evaluation.from_json(json["evaluation"]),
            hints=[Hint.from_json(item) for item in json.get("hints", [])],
            key=json.get("key", ""),
            nodes=json.get("nodes", 0),
            policy=[PolicyMove.from_json(item) for item in json.get("policy", [])],
            position=json.get("position", ""),
            stop_reason=json.get("stopReason"),
            to_move=json.get("toMove", ""),
            final=json.get("final", False),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchDone:
    """How a batch ended."""
    answered: int

    cancelled: int

    complete: bool
    """Whether the whole body was read. False if an error or a shutdown came first: unanswered
    questions may be sent again.
    """
    failed: int


    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> BatchDone:
        """Reads the JSON form."""
        return cls(
            answered=json.get("answered", 0),
            cancelled=json.get("cancelled", 0),
            complete=json.get("complete", False),
            failed=json.get("failed", 0),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchProgress:
    """Progress of a batch."""
    answered: int

    cancelled: int

    failed: int

    pending: int
    """Questions that are read and still unanswered."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> BatchProgress:
        """Reads the JSON form."""
        return cls(
            answered=json.get("answered", 0),
            cancelled=json.get("cancelled", 0),
            failed=json.get("failed", 0),
            pending=json.get("pending", 0),
        )


Certainty = Literal["proven", "estimate"]
"""Whether a value is proven."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonAnswer:
    """Moves of a position, side by side."""
    best_line: list[str]
    """The expected line after the best move, starting with the move itself."""
    best_move: str
    """The best of all legal moves."""
    best_move_text: str
    """The best move in a player's words, in the language of the request; empty if the game has
    none.
    """
    comparisons: list[MoveComparison]
    """In the order of `compareMoves`."""
    evaluation: Evaluation
    """The value of the position."""
    key: str
    """As in the response of `position`."""
    position: str
    """The position after `moves`, in canonical form."""
    to_move: str
    """Id of the seat whose turn it is."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> ComparisonAnswer:
        """Reads the JSON form."""
        return cls(
            best_line=list(json.get("bestLine", [])),
            best_move=json.get("bestMove", ""),
            best_move_text=json.get("bestMoveText", ""),
            comparisons=[MoveComparison.from_json(item) for item in json.get("comparisons", [])],
            evaluation=Evaluation.from_json(json["evaluation"]),
            key=json.get("key", ""),
            position=json.get("position", ""),
            to_move=json.get("toMove", ""),
        )


class ComparisonQuestion(TypedDict, total=False):
    """Moves of a position to compare."""
    compare_moves: Sequence[str]
    """2 to 8 different legal moves."""
    limits: Limits
    """Limits of the search."""
    moves: Sequence[str]
    """Moves played from the position; none by default."""
    position: str
    """Position in the game's notation; the start by default."""
    variant: str
    """Id of the variant; the game's first by default."""


Detail = Literal["nudge", "area", "move", "line"]
"""How much a hint reveals."""


class DiagramQuestion(TypedDict, total=False):
    """What a diagram shows."""
    variant: str
    """Id of the variant; the game's first by default."""
    position: str
    """Position in the game's notation; the start by default."""
    moves: Sequence[str]
    """Moves played from the position; none by default."""
    size: int
    """Width in pixels, 480 by default."""
    highlight: Sequence[str]
    """Ids of points to ring, such as the `cells` of a reason."""
    arrows: Sequence[str]
    """Arrows from point to point: `a1-c3`."""
    last_move: bool
    """Whether to shade the points that the last of `moves` changed."""
    theme: str
    """Colours around the board; light by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The value of a position or move. An estimate never contradicts a proof."""
    certainty: Certainty
    """Whether the value is proven."""
    depth: int
    """Search depth in plies."""
    outcome: Outcome | None
    """For the side to move, where the game has two sides and the value is proven; null otherwise.
    """
    plies_to_end: int | None
    """Plies to the end of the game with best play, where known."""
    scores: dict[str, float]
    """Expected score of every seat, 0 to 1, by seat id, independent of whose turn it is."""
    source: Source
    """Where the value comes from."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> Evaluation:
        """Reads the JSON form."""
        return cls(
            certainty=json["certainty"],
            depth=json.get("depth", 0),
            outcome=json.get("outcome"),
            plies_to_end=json.get("pliesToEnd"),
            scores=dict(json.get("scores", {})),
            source=json["source"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationAnswer:
    """The evaluation of a position."""
    evaluation: Evaluation
    """The value of the position."""
    key: str
    """As in the response of `position`."""
    position: str
    """The position after `moves`, in canonical form."""
    to_move: str
    """Id of the seat whose turn it is, or would be."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> EvaluationAnswer:
        """Reads the JSON form."""
        return cls(
            evaluation=Evaluation.from_json(json["evaluation"]),
            key=json.get("key", ""),
            position=json.get("position", ""),
            to_move=json.get("toMove", ""),
        )


class EvaluationQuestion(TypedDict, total=False):
    """A position to evaluate."""
    limits: Limits
    """Limits of the search."""
    moves: Sequence[str]
    """Moves played from the position; none by default."""
    position: str
    """Position in the game's notation; the start by default."""
    variant: str
    """Id of the variant; the game's first by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplorationAnswer:
    """What is known of each move of a position."""
    games: int
    """Recorded games that continued from this or a symmetric position."""
    key: str
    """As in the response of `position`."""
    moves: list[ExploredMove]
    """One entry per distinct move: moves that lead to the same or a symmetric position share one.
    Ordered by number of games, then by value for the seat to move. Pages may overlap if games are
    recorded meanwhile.
    """
    next_page_token: str
    """Empty on the last page."""
    position: str
    """The position after `moves`, in canonical form."""
    to_move: str
    """Id of the seat whose turn it is."""
    total: int
    """Number of distinct moves on all pages; 0 if the game is over."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> ExplorationAnswer:
        """Reads the JSON form."""
        return cls(
            games=json.get("games", 0),
            key=json.get("key", ""),
            moves=[ExploredMove.from_json(item) for item in json.get("moves", [])],
            next_page_token=json.get("nextPageToken", ""),
            position=json.get("position", ""),
            to_move=json.get("toMove", ""),
            total=json.get("total", 0),
        )


class ExplorationQuestion(TypedDict, total=False):
    """A position whose moves to explore."""
    moves: Sequence[str]
    """Moves played from the position; none by default."""
    page_size: int
    """Maximum number of moves on this page; the server's maximum by default."""
    page_token: str
    """`nextPageToken` of the previous page; the rest of the question must be the same."""
    position: str
    """Position in the game's notation; the start by default."""
    variant: str
    """Id of the variant; the game's first by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExploredMove:
    """What is known of a move."""
    equivalents: list[str]
    """Other moves that lead to the same position or a symmetric one. Not listed where there are
    more than 2,000 legal moves.
    """
    evaluation: Evaluation
    """The best known value: a proof before an estimate, a deeper search before a shallower one;
    static if nothing else is known.
    """
    games: int
    """Recorded games with this move."""
    move: str
    """In canonical notation."""
    proven_share: float
    """Share of the distinct replies whose value is proven; 1 if the move's own value is proven."""
    scores: dict[str, float]
    """Their mean result per seat, 0 to 1; empty without games."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> ExploredMove:
        """Reads the JSON form."""
        return cls(
            equivalents=list(json.get("equivalents", [])),
            evaluation=Evaluation.from_json(json["evaluation"]),
            games=json.get("games", 0),
            move=json.get("move", ""),
            proven_share=json.get("provenShare", 0.0),
            scores=dict(json.get("scores", {})),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game that is served."""
    abi: str
    """ABI version that the rule set was built for."""
    capabilities: list[str]
    """Optional capabilities of the rule set: `search`, `symmetry`, `layout`, `reasons`, `threats`.
    Hints and evaluations work without any of them; without `threats` only the wins of the seat to
    move are known.
    """
    id: str
    """Identifies the game in paths."""
    name: str
    """Display name."""
    seats: list[str]
    """Ids of the seats of the default variant, in playing order."""
    variants: list[Variant]
    """The default variant comes first."""
    version: str
    """Version of the rule set."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> Game:
        """Reads the JSON form."""
        return cls(
            abi=json.get("abi", ""),
            capabilities=list(json.get("capabilities", [])),
            id=json.get("id", ""),
            name=json.get("name", ""),
            seats=list(json.get("seats", [])),
            variants=[Variant.from_json(item) for item in json.get("variants", [])],
            version=json.get("version", ""),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GameAnswer(Game):
    """A game with its rules, notation and board."""
    layout: Layout | None
    """The board of the default variant; null if the rule set has no layout."""
    notation: str
    """How positions and moves are written."""
    reason_codes: list[ReasonCode]
    """The codes of the rule set's reasons; empty if it does not list them."""
    rules: str
    """How the game is played."""
    threat_kinds: list[ThreatKind]
    """The kinds of the rule set's threats; empty if it does not list them."""
    variant_layouts: dict[str, Layout]
    """The boards of variants that differ from it, by variant id."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> GameAnswer:
        """Reads the JSON form."""
        return cls(
            abi=json.get("abi", ""),
            capabilities=list(json.get("capabilities", [])),
            id=json.get("id", ""),
            name=json.get("name", ""),
            seats=list(json.get("seats", [])),
            variants=[Variant.from_json(item) for item in json.get("variants", [])],
            version=json.get("version", ""),
            layout=Layout.from_json(json["layout"]) if json.get("layout") is not None else None,
            notation=json.get("notation", ""),
            reason_codes=[ReasonCode.from_json(item) for item in json.get("reasonCodes", [])],
            rules=json.get("rules", ""),
            threat_kinds=[ThreatKind.from_json(item) for item in json.get("threatKinds", [])],
            variant_layouts={key: Layout.from_json(value) for key, value in json.get("variantLayouts", {}).items()},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOutcome:
    """How a game ended."""
    places: dict[str, int]
    """Places by seat id; 1 is best, ties share a place."""
    scores: dict[str, float]
    """Scores by seat id, 0 to 1."""
    text: str
    """A sentence for players, in the language of the request."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> GameOutcome:
        """Reads the JSON form."""
        return cls(
            places=dict(json.get("places", {})),
            scores=dict(json.get("scores", {})),
            text=json.get("text", ""),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesAnswer:
    """The games that are served."""
    games: list[Game]
    """Sorted by id."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> GamesAnswer:
        """Reads the JSON form."""
        return cls(
            games=[Game.from_json(item) for item in json.get("games", [])],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """A suggested move."""
    area: list[str]
    """Ids of the points to look at, for the detail `area`."""
    equivalents: list[str]
    """Other moves that lead to the same position or a symmetric one."""
    evaluation: Evaluation
    """The value of the move."""
    line: list[str]
    """The expected line, starting with the move itself."""
    move: str
    """In canonical notation; empty if `detail` withholds it."""
    move_text: str
    """The move in a player's words, in the language of the request: `b2, then block 1 turned left`.
    Empty if the game has none, or `detail` withholds the move.
    """
    reasons: list[MoveReason]
    """The most important comes first."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> Hint:
        """Reads the JSON form."""
        return cls(
            area=list(json.get("area", [])),
            equivalents=list(json.get("equivalents", [])),
            evaluation=Evaluation.from_json(json["evaluation"]),
            line=list(json.get("line", [])),
            move=json.get("move", ""),
            move_text=json.get("moveText", ""),
            reasons=[MoveReason.from_json(item) for item in json.get("reasons", [])],
        )


class HintsQuestion(TypedDict, total=False):
    """A position to find the best moves of."""
    allow_moves: Sequence[str]
    """Only these moves are considered."""
    avoid_moves: Sequence[str]
    """These moves are not considered."""
    count: int
    """Number of hints, 1 by default. Moves that lead to the same or a symmetric position count as
    one.
    """
    detail: Detail
    """How much a hint reveals; everything by default."""
    level: int
    """Playing strength, 1 to 10; 10, the default, is full strength. Lower levels search less
    deeply, overlook moves and misjudge others. Levels from 6 play every win in one, levels from 8
    every proven win. `limits` can only make a level weaker.
    """
    limits: Limits
    """Limits of the search."""
    moves: Sequence[str]
    """Moves played from the position; none by default."""
    policy: bool
    """Whether to value every different move (up to 1,000) and give each a probability. Valuing them
    all takes more of the limits than finding the best. Not with a `level` below 10 or a `detail`
    that withholds moves.
    """
    position: str
    """Position in the game's notation; the start by default."""
    seed: int
    """Seed of the choices of levels below 10: the same seed and limits give the same choice. Random
    by default, so that bots vary.
    """
    variant: str
    """Id of the variant; the game's first by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAnswer:
    """What was counted in a game."""
    seats: dict[str, SeatJudgement]
    """By seat id."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> JudgeAnswer:
        """Reads the JSON form."""
        return cls(
            seats={key: SeatJudgement.from_json(value) for key, value in json.get("seats", {}).items()},
        )


class JudgeQuestion(TypedDict, total=False):
    """A game whose decisions are judged; a kind of question of batches."""
    limits: Limits
    """Limits of the search of each position."""
    moves: Sequence[str]
    """The moves of the game, or of its beginning. Those that are not legal are counted as illegal
    attempts and skipped; moves after the end of the game are ignored.
    """
    position: str
    """Position that the game began with; the start by default."""
    variant: str
    """Id of the variant; the game's first by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A board as data, for drawing. Coordinates are in units of about one cell, x to the right, y
    downwards, from 0, 0 to width, height. Colours are `#rrggbb` or empty.
    """
    blocks: list[LayoutBlock]
    """Groups of points."""
    edges: list[LayoutEdge]
    """Lines between points."""
    height: float
    """Height of the drawing."""
    labels: list[LayoutLabel]
    """Text beside the board."""
    pieces: list[LayoutPiece]
    """Kinds of pieces."""
    points: list[LayoutPoint]
    """Points that may hold pieces."""
    width: float
    """Width of the drawing."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> Layout:
        """Reads the JSON form."""
        return cls(
            blocks=[LayoutBlock.from_json(item) for item in json.get("blocks", [])],
            edges=[LayoutEdge.from_json(item) for item in json.get("edges", [])],
            height=json.get("height", 0.0),
            labels=[LayoutLabel.from_json(item) for item in json.get("labels", [])],
            pieces=[LayoutPiece.from_json(item) for item in json.get("pieces", [])],
            points=[LayoutPoint.from_json(item) for item in json.get("points", [])],
            width=json.get("width", 0.0),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutBlock:
    """A group of points, drawn as a rectangle behind them."""
    colour: str
    """`#rrggbb` or empty."""
    height: float
    """Extent downwards."""
    id: str
    """As used in moves; may be empty."""
    points: list[str]
    """Ids of points."""
    width: float
    """Extent to the right."""
    x: float
    """Left edge."""
    y: float
    """Top edge."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> LayoutBlock:
        """Reads the JSON form."""
        return cls(
            colour=json.get("colour", ""),
            height=json.get("height", 0.0),
            id=json.get("id", ""),
            points=list(json.get("points", [])),
            width=json.get("width", 0.0),
            x=json.get("x", 0.0),
            y=json.get("y", 0.0),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutEdge:
    """A line between two points, by their ids."""
    from_: str
    """Id of a point."""
    to: str
    """Id of a point."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> LayoutEdge:
        """Reads the JSON form."""
        return cls(
            from_=json.get("from", ""),
            to=json.get("to", ""),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutLabel:
    """Text beside the board, centred at a point."""
    text: str
    """The text."""
    x: float
    """Centre, from the left."""
    y: float
    """Centre, from the top."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> LayoutLabel:
        """Reads the JSON form."""
        return cls(
            text=json.get("text", ""),
            x=json.get("x", 0.0),
            y=json.get("y", 0.0),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutPiece:
    """A kind of piece."""
    fill: str
    """`#rrggbb` or empty."""
    id: str
    """As used in positions and in `board`."""
    label: str
    """Drawn on the piece; may be empty."""
    name: str
    """Display name."""
    seat: str
    """Id of the seat that owns it; empty if none does."""
    shape: str
    """`disc`, `ring`, `square` or `spot`."""
    stroke: str
    """`#rrggbb` or empty."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> LayoutPiece:
        """Reads the JSON form."""
        return cls(
            fill=json.get("fill", ""),
            id=json.get("id", ""),
            label=json.get("label", ""),
            name=json.get("name", ""),
            seat=json.get("seat", ""),
            shape=json.get("shape", ""),
            stroke=json.get("stroke", ""),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutPoint:
    """A point that may hold pieces."""
    colour: str
    """`#rrggbb` or empty."""
    id: str
    """As used in moves."""
    radius: float
    """Radius of the point as drawn."""
    shape: str
    """`hidden`, `hole`, `cell` or `stop`."""
    x: float
    """Centre, from the left."""
    y: float
    """Centre, from the top."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> LayoutPoint:
        """Reads the JSON form."""
        return cls(
            colour=json.get("colour", ""),
            id=json.get("id", ""),
            radius=json.get("radius", 0.0),
            shape=json.get("shape", ""),
            x=json.get("x", 0.0),
            y=json.get("y", 0.0),
        )


class Limits(TypedDict, total=False):
    """Limits of a search, which stops at the first one it reaches. Values above the server's
    maximums are lowered to them. Without any, the time is 1,000 ms.
    """
    depth: int
    """Search depth in plies."""
    nodes: int
    """Positions visited. With this limit alone, equal requests get equal responses."""
    time_ms: int
    """Time from the arrival of the request to the response."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveComparison:
    """One of the moves that are compared."""
    differs_at: int | None
    """Index into `line` from which it differs from `bestLine`; null if it does not."""
    evaluation: Evaluation
    """Its value, from the same search as the other moves."""
    line: list[str]
    """The expected line, starting with the move itself; up to the end of the game for a proven win
    or loss.
    """
    move: str
    """In canonical notation."""
    move_text: str
    """The move in a player's words, in the language of the request; empty if the game has none."""
    reasons: list[MoveReason]
    """Verified facts. In games with the capability `threats`, a move that is proven worse than the
    best one may also have `block_missed` (another side already had a win in one, and the move does
    not stop it) and `undone_by` (the move threatens to win, and the reply stops that), with the
    cells of that win. Where nothing is proven, the only reason is `estimate`.
    """
    reply: str
    """The best reply; empty if the move ends the game."""
    reply_text: str
    """The reply in words."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> MoveComparison:
        """Reads the JSON form."""
        return cls(
            differs_at=json.get("differsAt"),
            evaluation=Evaluation.from_json(json["evaluation"]),
            line=list(json.get("line", [])),
            move=json.get("move", ""),
            move_text=json.get("moveText", ""),
            reasons=[MoveReason.from_json(item) for item in json.get("reasons", [])],
            reply=json.get("reply", ""),
            reply_text=json.get("replyText", ""),
        )


MoveLabel = Literal[
    "best",
    "good",
    "inaccuracy",
    "mistake",
    "blunder",
    "only_move",
    "forced",
    "missed_win",
    "slower_win",
    "lost_anyway",
]
"""The name of a played move's quality. With n sides the losses are 2/n of these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveReason:
    """Why a move is good or bad."""
    cells: list[str]
    """Ids of points of the layout."""
    code: str
    """One of the game's `reasonCodes`. For moves that the rule set does not explain, the server
    reports what is proven: `wins`, `forced_win`, `draws`, `loses`, `only_move`.
    """
    text: str
    """A sentence for players, in the language of the request."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> MoveReason:
        """Reads the JSON form."""
        return cls(
            cells=list(json.get("cells", [])),
            code=json.get("code", ""),
            text=json.get("text", ""),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MovesAnswer:
    """A page of legal moves."""
    key: str
    """As in the response of `position`."""
    move_texts: list[str]
    """With `texts`, the moves in a player's words, in the same order and in the language of the
    request; empty where the game has none. Else there are no texts.
    """
    moves: list[str]
    """In canonical order."""
    next_page_token: str
    """Empty on the last page."""
    total: int
    """Number of moves on all pages."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> MovesAnswer:
        """Reads the JSON form."""
        return cls(
            key=json.get("key", ""),
            move_texts=list(json.get("moveTexts", [])),
            moves=list(json.get("moves", [])),
            next_page_token=json.get("nextPageToken", ""),
            total=json.get("total", 0),
        )


class MovesQuestion(TypedDict, total=False):
    """Which legal moves to list."""
    distinct: bool
    """Only the first of several moves that lead to the same position. This plays every move, so
    more than 1,000,000 of them are refused as `too_large`; narrow them down with `prefix`.
    """
    moves: Sequence[str]
    """Moves played from the position; none by default."""
    page_size: int
    """Maximum number of moves on this page; the server's maximum by default."""
    page_token: str
    """`nextPageToken` of the previous page; the rest of the question must be the same."""
    position: str
    """Position in the game's notation; the start by default."""
    prefix: str
    """Only moves whose text has this prefix."""
    texts: bool
    """Whether to give the moves in a player's words as well."""
    variant: str
    """Id of the variant; the game's first by default."""


Outcome = Literal["win", "draw", "loss"]
"""The result for the side to move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyMove:
    """A move with its value, and a probability that is derived from the values."""
    equivalents: list[str]
    """Other moves that lead to the same position or a symmetric one; they share the probability."""
    evaluation: Evaluation
    """The value of the move."""
    move: str
    """In canonical notation."""
    probability: float
    """Proportional to exp(score / 0.05) of the expected score, with n sides exp(score · n / 0.1): a
    move worth 0.05 less is e times less probable. Proven wins share everything; proven losses get 0
    while there are other moves. All add up to 1. It is no share of visits: the searches do not try
    moves in proportion to their worth.
    """

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> PolicyMove:
        """Reads the JSON form."""
        return cls(
            equivalents=list(json.get("equivalents", [])),
            evaluation=Evaluation.from_json(json["evaluation"]),
            move=json.get("move", ""),
            probability=json.get("probability", 0.0),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionAnswer:
    """The facts of a position."""
    board: dict[str, list[str]]
    """Piece ids by point id of the layout. Empty points are left out."""
    key: str
    """Equal for equal and symmetric positions of a variant. Callers may send it as the header
    `x-pentad-key`, so that a proxy sends questions about such positions to one replica; the server
    itself does not read it.
    """
    legal_move_count: int
    """Number of legal moves."""
    outcome: GameOutcome | None
    """Null while the game goes on."""
    position: str
    """The position after `moves`, in canonical form."""
    to_move: str
    """Id of the seat whose turn it is, or would be."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> PositionAnswer:
        """Reads the JSON form."""
        return cls(
            board={key: list(value) for key, value in json.get("board", {}).items()},
            key=json.get("key", ""),
            legal_move_count=json.get("legalMoveCount", 0),
            outcome=GameOutcome.from_json(json["outcome"]) if json.get("outcome") is not None else None,
            position=json.get("position", ""),
            to_move=json.get("toMove", ""),
        )


class PositionQuestion(TypedDict, total=False):
    """A position of the game."""
    moves: Sequence[str]
    """Moves played from the position; none by default."""
    position: str
    """Position in the game's notation; the start by default."""
    variant: str
    """Id of the variant; the game's first by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Why a request failed."""
    column: int | None
    """Position of the offending character in that field, from 1."""
    detail: str
    """Describes this error."""
    field: str | None
    """The invalid part of the request: `moves[1]`, `limits.timeMs`."""
    index: int | None
    """Index of the move in its list, from 0."""
    reason: Reason
    """From a closed list, the same in gRPC."""
    request_id: str
    """Id of the request, also in the header `x-request-id` and in the server's log."""
    retry_after_ms: int | None
    """How long to wait before a retry."""
    status: int
    """The HTTP status."""
    title: str
    """The same for every problem of this type."""
    type: str
    """The path of a page on this server about the reason: `/docs/errors/` and the reason.
    `about:blank` for errors of HTTP itself: an unknown path, method, media type or host name, or a
    web page that may not call. Programs decide by `reason`.
    """

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> Problem:
        """Reads the JSON form."""
        return cls(
            column=json.get("column"),
            detail=json.get("detail", ""),
            field=json.get("field"),
            index=json.get("index"),
            reason=json["reason"],
            request_id=json.get("requestId", ""),
            retry_after_ms=json.get("retryAfterMs"),
            status=json.get("status", 0),
            title=json.get("title", ""),
            type=json.get("type", ""),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """A position that exactly one distinct move wins in time, proven for every defence."""
    difficulty: float
    """`pliesToEnd` plus the binary logarithm of one more than the number of moves that look at
    least even to a search one ply deep and do not win in time.
    """
    first_moves: list[str]
    """Every first move that wins in time. They lead to the same or symmetric positions."""
    key: str
    """As in the response of `position`."""
    move_index: int | None
    """Index into `moves` of the move that was played here; null if no game was given."""
    plies_to_end: int
    """Plies to the end of the game."""
    position: str
    """In canonical form."""
    solutions: list[list[str]]
    """Lines from the first move to the end of the game, the winner's moves and the defences in
    turn: one for every distinct first defence, and more for other replies that also win. Later
    defences are proven as well; each line shows one of the longest.
    """
    theme: str
    """The code of the first reason for the winning move."""
    to_move: str
    """Id of the seat to move, which wins."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> Puzzle:
        """Reads the JSON form."""
        return cls(
            difficulty=json.get("difficulty", 0.0),
            first_moves=list(json.get("firstMoves", [])),
            key=json.get("key", ""),
            move_index=json.get("moveIndex"),
            plies_to_end=json.get("pliesToEnd", 0),
            position=json.get("position", ""),
            solutions=[list(item) for item in json.get("solutions", [])],
            theme=json.get("theme", ""),
            to_move=json.get("toMove", ""),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleMessage:
    """A message of a search for puzzles."""
    puzzle: Puzzle | None
    """A puzzle."""
    progress: PuzzleProgress | None
    """Progress, at intervals."""
    final: PuzzleProgress | None
    """The last message."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> PuzzleMessage:
        """Reads the JSON form."""
        return cls(
            puzzle=Puzzle.from_json(json["puzzle"]) if json.get("puzzle") is not None else None,
            progress=PuzzleProgress.from_json(json["progress"]) if json.get("progress") is not None else None,
            final=PuzzleProgress.from_json(json["final"]) if json.get("final") is not None else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleProgress:
    """Progress of a search for puzzles."""
    found: int
    """Puzzles found."""
    looked_at: int
    """Positions examined."""
    wanted: int
    """Puzzles requested."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> PuzzleProgress:
        """Reads the JSON form."""
        return cls(
            found=json.get("found", 0),
            looked_at=json.get("lookedAt", 0),
            wanted=json.get("wanted", 0),
        )


class PuzzleQuestion(TypedDict, total=False):
    """Which puzzles to look for."""
    count: int
    """Number of puzzles, 1 by default."""
    limits: Limits
    """Limits of the search of each position. The whole search has `totalTimeMs`."""
    max_plies: int
    """Maximum plies to the end, 1 to 5; 3 by default. With more than two sides only 1 is possible,
    and the default. Wins in five plies are rare and slow to prove: finding one in Pentago may take
    a minute.
    """
    min_plies: int
    """Minimum plies to the end; `maxPlies` by default."""
    moves: Sequence[str]
    """A game to look through. Without moves, games between low levels are played from the position.
    """
    position: str
    """Position that games begin with; the start by default."""
    seed: int
    """Seed of the games that are played: the same seed and node limits give the same games. Random
    by default.
    """
    theme: str
    """Only puzzles with this theme, a reason code."""
    total_time_ms: int
    """Time for all puzzles, a minute by default: fewer than `count` may have been found by then."""
    variant: str
    """Id of the variant; the game's first by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzlesAnswer:
    """All puzzles of a search."""
    final: PuzzleProgress
    """What was searched in all."""
    puzzles: list[Puzzle]
    """In the order in which they were found."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> PuzzlesAnswer:
        """Reads the JSON form."""
        return cls(
            final=PuzzleProgress.from_json(json["final"]),
            puzzles=[Puzzle.from_json(item) for item in json.get("puzzles", [])],
        )


Reason = Literal[
    "unknown_game",
    "unknown_variant",
    "bad_position",
    "bad_move",
    "bad_argument",
    "illegal_move",
    "game_over",
    "too_large",
    "overloaded",
    "rate_limited",
    "deadline",
    "ruleset_fault",
    "ruleset_unavailable",
    "unauthenticated",
    "internal",
]
"""The closed list of reasons."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonCode:
    """A code that reasons for moves carry."""
    code: str
    """As in reasons."""
    description: str
    """Describes moves with this code."""
    names_cells: bool
    """Whether its reasons may name cells."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> ReasonCode:
        """Reads the JSON form."""
        return cls(
            code=json.get("code", ""),
            description=json.get("description", ""),
            names_cells=json.get("namesCells", False),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewAnswer:
    """A whole review."""
    moves: list[ReviewedMove]
    """The moves that were reviewed, in playing order."""
    summary: ReviewSummary
    """The totals."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> ReviewAnswer:
        """Reads the JSON form."""
        return cls(
            moves=[ReviewedMove.from_json(item) for item in json.get("moves", [])],
            summary=ReviewSummary.from_json(json["summary"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewMessage:
    """A message of a review."""
    move: ReviewedMove | None
    """A move; the last move of the game comes first."""
    progress: ReviewProgress | None
    """After every move."""
    summary: ReviewSummary | None
    """The last message."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> ReviewMessage:
        """Reads the JSON form."""
        return cls(
            move=ReviewedMove.from_json(json["move"]) if json.get("move") is not None else None,
            progress=ReviewProgress.from_json(json["progress"]) if json.get("progress") is not None else None,
            summary=ReviewSummary.from_json(json["summary"]) if json.get("summary") is not None else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewProgress:
    """Progress of a review."""
    done: int
    """Moves reviewed."""
    summary: ReviewSummary
    """The totals of the moves reviewed so far."""
    time_left_ms: float
    """Estimated time to the end, from the time that the moves so far took."""
    total: int
    """Moves to review."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> ReviewProgress:
        """Reads the JSON form."""
        return cls(
            done=json.get("done", 0),
            summary=ReviewSummary.from_json(json["summary"]),
            time_left_ms=json.get("timeLeftMs", 0.0),
            total=json.get("total", 0),
        )


class ReviewQuestion(TypedDict, total=False):
    """A game to review: `moves` played from `position`."""
    limits: Limits
    """Limits of the search for the best move before each move, the same as for a hint with these
    limits; comparing takes up to 0.6 of them again. 1,000 ms if neither these nor `totalTimeMs` are
    given.
    """
    moves: Sequence[str]
    """The moves to review, in playing order."""
    position: str
    """Position that the game began with; the start by default."""
    total_time_ms: int
    """Time for the whole review. Each move gets its share of the time left."""
    turns: Sequence[int]
    """Indices into `moves` of the moves to review, from 0; all by default."""
    variant: str
    """Id of the variant; the game's first by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewSummary:
    """The totals of a review."""
    complete: bool
    """Whether every move, or each of `turns`, was reviewed; false if the deadline came first."""
    scores: list[dict[str, float]]
    """Expected scores by seat id before the first move and after each, for a graph: one more than
    there are moves. Empty objects where a position was not reviewed.
    """
    seats: dict[str, SeatReview]
    """Totals by seat id."""
    turning_points: list[int]
    """Indices of the moves that gave the lead away, ascending."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> ReviewSummary:
        """Reads the JSON form."""
        return cls(
            complete=json.get("complete", False),
            scores=[dict(item) for item in json.get("scores", [])],
            seats={key: SeatReview.from_json(value) for key, value in json.get("seats", {}).items()},
            turning_points=list(json.get("turningPoints", [])),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedMove:
    """The verdict on a move that was played."""
    after: Evaluation
    """The value of the played move, for the seat that moved."""
    before: Evaluation
    """The value of the best move, for the seat that moved, from the same search as `after`."""
    best_line: list[str]
    """The expected line after the best move, starting with the move itself."""
    best_move: str
    """The best move; the played one if none is better."""
    best_move_text: str
    """The best move in words."""
    index: int
    """Index into `moves`, from 0."""
    label: MoveLabel | None
    """Null if the loss is below the noise of the searches."""
    loss: float
    """Expected score of the best move minus that of the played one, for the seat that moved. 0 if
    it was the best or the only one.
    """
    move: str
    """In canonical notation."""
    move_text: str
    """The move in a player's words, in the language of the request; empty if the game has none."""
    noise: float
    """By how much searches disagree about the values that `loss` compares; 0 if they are proven."""
    reasons: list[MoveReason]
    """Why the played move is good or bad."""
    reply: str
    """The reply that punishes a bad move; empty for others."""
    reply_text: str
    """The reply in words."""
    seat: str
    """Id of the seat that moved."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> ReviewedMove:
        """Reads the JSON form."""
        return cls(
            after=Evaluation.from_json(json["after"]),
            before=Evaluation.from_json(json["before"]),
            best_line=list(json.get("bestLine", [])),
            best_move=json.get("bestMove", ""),
            best_move_text=json.get("bestMoveText", ""),
            index=json.get("index", 0),
            label=json.get("label"),
            loss=json.get("loss", 0.0),
            move=json.get("move", ""),
            move_text=json.get("moveText", ""),
            noise=json.get("noise", 0.0),
            reasons=[MoveReason.from_json(item) for item in json.get("reasons", [])],
            reply=json.get("reply", ""),
            reply_text=json.get("replyText", ""),
            seat=json.get("seat", ""),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatJudgement:
    """Decisions of one seat, by what was proven before and after them. Counts of several games may
    be added.
    """
    illegal: int
    """Attempts that were not legal."""
    kept_draw: int
    """Moves in positions worth a draw, or a shared or lower place, that kept it."""
    kept_win: int
    """Moves in won positions that kept the win."""
    lost_before: int
    """Moves in lost positions: there was nothing to lose."""
    moves: int
    """Legal moves."""
    score: float | None
    """Score of the game; null if it did not come to its end."""
    threw_away_draw: int
    """Moves in such positions that did not."""
    threw_away_win: int
    """Moves in won positions that did not."""
    unknown: int
    """Moves before or after which nothing is proven."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> SeatJudgement:
        """Reads the JSON form."""
        return cls(
            illegal=json.get("illegal", 0),
            kept_draw=json.get("keptDraw", 0),
            kept_win=json.get("keptWin", 0),
            lost_before=json.get("lostBefore", 0),
            moves=json.get("moves", 0),
            score=json.get("score"),
            threw_away_draw=json.get("threwAwayDraw", 0),
            threw_away_win=json.get("threwAwayWin", 0),
            unknown=json.get("unknown", 0),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatReview:
    """How well a seat played."""
    accuracy: float | None
    """100 · max(0, 1 − loss / stake): 100 is perfect, 0 is as good as a random mover. Null if
    `stake` does not exceed `noise`: there was too little to give away.
    """
    labels: dict[str, int]
    """How often each label was given, by its name."""
    loss: float
    """What the seat gave away in all its moves, as far as each loss exceeds its noise. Forced moves
    and moves in lost positions do not count.
    """
    noise: float
    """The noise of these moves together: the root of the sum of its squares."""
    stake: float
    """What a random mover would have given away in those moves."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> SeatReview:
        """Reads the JSON form."""
        return cls(
            accuracy=json.get("accuracy"),
            labels=dict(json.get("labels", {})),
            loss=json.get("loss", 0.0),
            noise=json.get("noise", 0.0),
            stake=json.get("stake", 0.0),
        )


Source = Literal["terminal", "book", "solver", "search", "static"]
"""Where a value comes from."""


StopReason = Literal["proven", "time", "nodes", "depth", "deadline", "load", "shutdown"]
"""Why a search stopped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Threat:
    """A win of one seat."""
    cells: list[str]
    """Ids of points of the layout: the points of the pieces that make the win, and the empty points
    that they need. Empty for a forced win.
    """
    kind: str
    """One of the game's `threatKinds`; `forced` for a win that a search has proven; `winning` in
    games without the capability `threats`.
    """
    move: str
    """The first move of the win, as the seat would play it. If several moves make the same win, one
    of them.
    """
    plies: int
    """Plies to the win with best play, including the move; 1 for a win at once."""
    score: float
    """The minimum score of the seat, above 0: 1 for a win, less if others may share it or better
    places are taken.
    """
    seat: str
    """Id of the seat."""
    stopped_by: list[str]
    """Moves of the seat to move after which this win is gone; empty for wins of its own side and
    for forced wins. Of moves that lead to the same position, only the first is listed.
    """

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> Threat:
        """Reads the JSON form."""
        return cls(
            cells=list(json.get("cells", [])),
            kind=json.get("kind", ""),
            move=json.get("move", ""),
            plies=json.get("plies", 0),
            score=json.get("score", 0.0),
            seat=json.get("seat", ""),
            stopped_by=list(json.get("stoppedBy", [])),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreatKind:
    """A kind of threat."""
    description: str
    """Describes such a win."""
    kind: str
    """As in threats."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> ThreatKind:
        """Reads the JSON form."""
        return cls(
            description=json.get("description", ""),
            kind=json.get("kind", ""),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreatsAnswer:
    """The wins that each seat would have if it were its turn."""
    key: str
    """As in the response of `position`."""
    position: str
    """The position after `moves`, in canonical form."""
    seats: list[str]
    """Ids of the seats whose wins are known, in playing order: all if the game has the capability
    `threats`, otherwise the seat to move.
    """
    stops_all: list[str]
    """Moves of the seat to move after which no seat of another side has a win at once, old or new;
    empty if there is no such threat or no move helps. Of moves that lead to the same position, only
    the first is listed.
    """
    threats: list[Threat]
    """Those of the seat to move first, then in playing order; wins at once before forced ones. A
    finished game has none.
    """
    to_move: str
    """Id of the seat whose turn it is, or would be."""
    truncated: bool
    """Whether a list was truncated: more than 64 threats of the own side or of all others, or more
    than 256 moves that stop one.
    """

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> ThreatsAnswer:
        """Reads the JSON form."""
        return cls(
            key=json.get("key", ""),
            position=json.get("position", ""),
            seats=list(json.get("seats", [])),
            stops_all=list(json.get("stopsAll", [])),
            threats=[Threat.from_json(item) for item in json.get("threats", [])],
            to_move=json.get("toMove", ""),
            truncated=json.get("truncated", False),
        )


class ThreatsQuestion(TypedDict, total=False):
    """A position to find the threats of."""
    depth: int
    """Plies within which to find wins. 1, the default, finds wins at once, without a search. For
    more, each seat without a win at once is given the turn, and that position is searched.
    """
    limits: Limits
    """Limits of the searches, which run in parallel. A win that is not found in time is missing."""
    moves: Sequence[str]
    """Moves played from the position; none by default."""
    position: str
    """Position in the game's notation; the start by default."""
    variant: str
    """Id of the variant; the game's first by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A variant of a game."""
    id: str
    """Identifies the variant in requests."""
    name: str
    """Display name."""
    seat_names: dict[str, str]
    """Display names of the seats, by seat id."""
    seats: list[str]
    """Ids of the seats, in playing order. Scores and places are keyed by them."""
    sides: dict[str, int]
    """The side each seat plays for, by seat id. Seats of the same side win and lose together."""
    summary: str
    """A one-sentence description."""

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> Variant:
        """Reads the JSON form."""
        return cls(
            id=json.get("id", ""),
            name=json.get("name", ""),
            seat_names=dict(json.get("seatNames", {})),
            seats=list(json.get("seats", [])),
            sides=dict(json.get("sides", {})),
            summary=json.get("summary", ""),
        )
