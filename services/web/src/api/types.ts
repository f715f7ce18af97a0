// Names that the page uses for the schemas of /openapi.json.

import type { components } from './schema';

type Schemas = components['schemas'];
/** Fields that may be left out of a question; the page sends no nulls. */
type Question<T> = { [K in keyof T]?: NonNullable<T[K]> };

export type Game = Schemas['Game'];
export type GameDetails = Schemas['GameAnswer'];
export type Variant = Schemas['Variant'];

export type Layout = Schemas['Layout'];
export type Block = Schemas['LayoutBlock'];
export type Piece = Schemas['LayoutPiece'];
export type Point = Schemas['LayoutPoint'];

export type Position = Schemas['PositionAnswer'];
/** Piece ids by point id. */
export type Pieces = Position['board'];
export type MovePage = Schemas['MovesAnswer'];
export type Evaluation = Schemas['Evaluation'];
/** By seat id, 0 to 1. */
export type Scores = Evaluation['scores'];

export type Hint = Schemas['Hint'];
export type Hints = Schemas['HintsAnswer'];
export type AnalysisUpdate = Schemas['AnalysisUpdate'];
export type Detail = Schemas['Detail'];
export type Evaluated = Schemas['EvaluationAnswer'];
export type Comparisons = Schemas['ComparisonAnswer'];
export type Threat = Schemas['Threat'];
export type Threats = Schemas['ThreatsAnswer'];
export type ExploredMove = Schemas['ExploredMove'];
export type ExplorerPage = Schemas['ExplorationAnswer'];

export type MoveLabel = Schemas['MoveLabel'];
export type ReviewedMove = Schemas['ReviewedMove'];
export type ReviewSummary = Schemas['ReviewSummary'];
export type ReviewMessage = Schemas['ReviewMessage'];
export type Puzzle = Schemas['Puzzle'];
export type PuzzleMessage = Schemas['PuzzleMessage'];

export type PositionQuestion = Question<Schemas['PositionQuestion']>;
export type MovesQuestion = Question<Schemas['MovesQuestion']>;
export type HintsQuestion = Question<Schemas['HintsQuestion']>;
export type EvaluationQuestion = Question<Schemas['EvaluationQuestion']>;
export type ComparisonQuestion = Question<Schemas['ComparisonQuestion']>;
export type ThreatsQuestion = Question<Schemas['ThreatsQuestion']>;
export type ExplorationQuestion = Question<Schemas['ExplorationQuestion']>;
export type ReviewQuestion = Question<Schemas['ReviewQuestion']>;
export type PuzzleQuestion = Question<Schemas['PuzzleQuestion']>;
