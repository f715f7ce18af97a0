// The JSON of the REST interface, as far as the page reads it. The contract is
// /openapi.json; fields that the page does not use are left out.

export type Scores = Record<string, number>;

export interface Variant {
  id: string;
  name: string;
  seats: string[];
  summary: string;
  seatNames: Record<string, string>;
  sides: Record<string, number>;
}

export interface Game {
  id: string;
  name: string;
  version: string;
  seats: string[];
  variants: Variant[];
  capabilities: string[];
}

export interface GameDetails extends Game {
  notation: string;
  rules: string;
  layout: Layout | null;
  variantLayouts: Record<string, Layout>;
}

export type PointShape = 'hidden' | 'hole' | 'cell' | 'stop';
export type PieceShape = 'disc' | 'ring' | 'square' | 'spot';

export interface Point {
  id: string;
  x: number;
  y: number;
  radius: number;
  shape: PointShape;
  colour: string;
}

export interface Block {
  id: string;
  x: number;
  y: number;
  width: number;
  height: number;
  colour: string;
  points: string[];
}

export interface Piece {
  id: string;
  name: string;
  fill: string;
  stroke: string;
  label: string;
  shape: PieceShape;
  seat: string;
}

export interface Layout {
  width: number;
  height: number;
  points: Point[];
  edges: { from: string; to: string }[];
  blocks: Block[];
  labels: { text: string; x: number; y: number }[];
  pieces: Piece[];
}

/** Piece ids by point id. */
export type Pieces = Record<string, string[]>;

export interface GameOutcome {
  scores: Scores;
  places: Record<string, number>;
  text: string;
}

export interface Position {
  position: string;
  toMove: string;
  legalMoveCount: number;
  outcome: GameOutcome | null;
  board: Pieces;
}

export interface MovePage {
  moves: string[];
  total: number;
  nextPageToken: string;
}

export interface Evaluation {
  certainty: 'proven' | 'estimate';
  outcome: 'win' | 'draw' | 'loss' | null;
  pliesToEnd: number | null;
  scores: Scores;
  source: string;
  depth: number;
}

export interface Reason {
  code: string;
  text: string;
  cells: string[];
}

export interface Hint {
  move: string;
  evaluation: Evaluation;
  line: string[];
  reasons: Reason[];
  equivalents: string[];
  area: string[];
}

export interface Hints {
  hints: Hint[];
  evaluation: Evaluation;
  stopReason: string | null;
  depth: number;
  nodes: number;
  elapsedMs: number;
  cached: boolean;
  position: string;
  toMove: string;
  final?: boolean;
}

export interface Comparison {
  move: string;
  evaluation: Evaluation;
  reply: string;
  line: string[];
  differsAt?: number | null;
  reasons: Reason[];
}

export interface Comparisons {
  comparisons: Comparison[];
  bestMove: string;
  bestLine?: string[];
  evaluation?: Evaluation;
  position: string;
  toMove: string;
}

export interface Threat {
  seat: string;
  kind: string;
  move: string;
  cells: string[];
  stoppedBy: string[];
  plies?: number;
}

export interface Threats {
  threats: Threat[];
  stopsAll: string[];
  position: string;
  toMove: string;
}

/** A move with the symmetric ones, and what is known of it. */
export interface ExploredMove {
  move: string;
  equivalents: string[];
  /** Recorded games in which it was played, and their mean result; empty without. */
  games: number;
  scores: Scores;
  evaluation: Evaluation;
  /** Of the replies, those whose value is proven; 1 if that of the move is. */
  provenShare: number;
}

export interface ExplorerPage {
  moves: ExploredMove[];
  total: number;
  nextPageToken: string;
  /** Recorded games that came through the position. */
  games: number;
  position: string;
  toMove: string;
}

export type MoveLabel =
  | 'best' | 'good' | 'inaccuracy' | 'mistake' | 'blunder'
  | 'only_move' | 'forced' | 'missed_win' | 'slower_win' | 'lost_anyway';

export interface ReviewedMove {
  index: number;
  seat: string;
  move: string;
  loss: number;
  label: MoveLabel | null;
  before: Evaluation;
  after: Evaluation;
  bestMove: string;
  bestLine: string[];
  reply: string;
  reasons: Reason[];
}

export interface ReviewSummary {
  seats: Record<string, { accuracy?: number | null; labels: Partial<Record<MoveLabel, number>> }>;
  turningPoints: number[];
  scores: Scores[];
}

export interface ReviewEvent {
  move?: ReviewedMove;
  progress?: { done: number; total: number };
  summary?: ReviewSummary;
}

export interface Puzzle {
  position: string;
  toMove: string;
  solutions: string[][];
  theme: string;
  difficulty: number;
  pliesToEnd: number;
  firstMoves?: string[];
}

export interface PuzzleEvent {
  puzzle?: Puzzle;
  progress?: { done?: number; total?: number };
  final?: unknown;
}

/** A question about a position; calls add their own fields. */
export interface PositionQuestion {
  variant?: string;
  position?: string;
  moves?: string[];
}

export interface Limits {
  timeMs?: number;
  nodes?: number;
  depth?: number;
}

export type Detail = 'nudge' | 'area' | 'move' | 'line';

export interface HintsQuestion extends PositionQuestion {
  limits?: Limits;
  count?: number;
  level?: number;
  seed?: number;
  detail?: Detail;
  avoidMoves?: string[];
}
