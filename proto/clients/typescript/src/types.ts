// Names for the schemas of the contract.

import type { components, operations } from './schema.js';

type Schemas = components['schemas'];
/** Fields that may be left out; the server takes null for "not given", the client sends none. */
type Question<T> = { [K in keyof T]?: NonNullable<T[K]> };

export type Reason = Schemas['Reason'];
export type Problem = Schemas['Problem'];

export type Game = Schemas['Game'];
export type GameDetails = Schemas['GameAnswer'];
export type Variant = Schemas['Variant'];
export type Layout = Schemas['Layout'];

export type Position = Schemas['PositionAnswer'];
export type GameOutcome = Schemas['GameOutcome'];
export type MovePage = Schemas['MovesAnswer'];
export type Evaluation = Schemas['Evaluation'];
export type EvaluationAnswer = Schemas['EvaluationAnswer'];
export type Hint = Schemas['Hint'];
export type Hints = Schemas['HintsAnswer'];
export type MoveReason = Schemas['MoveReason'];
export type AnalysisUpdate = Schemas['AnalysisUpdate'];
export type Comparison = Schemas['ComparisonAnswer'];
export type Judgement = Schemas['JudgeAnswer'];
export type SeatJudgement = Schemas['SeatJudgement'];
export type Threat = Schemas['Threat'];
export type Threats = Schemas['ThreatsAnswer'];
export type ExploredMove = Schemas['ExploredMove'];
export type ExplorationPage = Schemas['ExplorationAnswer'];
export type ReviewMessage = Schemas['ReviewMessage'];
export type ReviewedMove = Schemas['ReviewedMove'];
export type ReviewSummary = Schemas['ReviewSummary'];
export type PuzzleMessage = Schemas['PuzzleMessage'];
export type Puzzle = Schemas['Puzzle'];
export type PuzzleProgress = Schemas['PuzzleProgress'];

export type Limits = Question<Schemas['Limits']>;
export type PositionQuestion = Question<Schemas['PositionQuestion']>;
export type MovesQuestion = Question<Schemas['MovesQuestion']>;
export type EvaluationQuestion = Question<Schemas['EvaluationQuestion']>;
export type HintsQuestion = Question<Schemas['HintsQuestion']>;
/** That of a hint, where the contract has no other. */
export type AnalysisQuestion = Question<Schemas extends { AnalysisQuestion: infer Q } ? Q : Schemas['HintsQuestion']>;
export type ComparisonQuestion = Question<Schemas['ComparisonQuestion']>;
export type JudgeQuestion = Question<Schemas['JudgeQuestion']>;
export type ThreatsQuestion = Question<Schemas['ThreatsQuestion']>;
export type ExplorationQuestion = Question<Schemas['ExplorationQuestion']>;
export type ReviewQuestion = Question<Schemas['ReviewQuestion']>;
export type PuzzleQuestion = Question<Schemas['PuzzleQuestion']>;
export type DiagramQuestion = NonNullable<operations['getDiagram']['parameters']['query']>;

/** A complete review: the moves in playing order. */
export interface ReviewedGame {
  moves: ReviewedMove[];
  summary: ReviewSummary;
}

/** The puzzles of a finished search. */
export interface PuzzleSet {
  puzzles: Puzzle[];
  progress: PuzzleProgress;
}

/** The kinds of questions of a batch, with their questions and answers. */
export interface BatchKinds {
  position: { question: PositionQuestion; answer: Position };
  'legal-moves': { question: MovesQuestion; answer: MovePage };
  evaluation: { question: EvaluationQuestion; answer: EvaluationAnswer };
  hints: { question: HintsQuestion; answer: Hints };
  compare: { question: ComparisonQuestion; answer: Comparison };
  threats: { question: ThreatsQuestion; answer: Threats };
  /** Only batches have it. */
  judge: { question: JudgeQuestion; answer: Judgement };
}

/** A question of a batch. `tag` is anything that the caller wants to find in the result. */
export type BatchQuestion = {
  [K in keyof BatchKinds]: {
    kind: K;
    game: string;
    priority?: 'low' | 'normal' | 'high';
    tag?: unknown;
  } & BatchKinds[K]['question'];
}[keyof BatchKinds];
