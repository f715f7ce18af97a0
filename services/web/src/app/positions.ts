// Cache of games and of the positions in their trees; each is requested once.

import type { GameDetails, Position, PositionQuestion } from '../api/types';
import { gridPieces } from '../model/grid';
import { rootQuestion, type Linked } from '../model/link';
import type { Node } from '../model/tree';
import type { Connection } from './connection';
import type { Table } from './views';

export class Positions {
  private byNode = new WeakMap<Node, Position>();
  private readonly details = new Map<string, GameDetails>();

  constructor(private readonly connection: Connection) {}

  known(node: Node): Position | undefined {
    return this.byNode.get(node);
  }

  keep(node: Node, position: Position): void {
    this.byNode.set(node, position);
  }

  /** Language of the cached texts; changing it clears the cache. */
  forget(): void {
    this.byNode = new WeakMap();
    this.details.clear();
  }

  async game(id: string, signal: AbortSignal): Promise<GameDetails> {
    const { client } = this.connection;
    const known = this.details.get(id) ?? (await this.connection.untilReached((s) => client.game(id, s), signal));
    this.details.set(id, known);
    return known;
  }

  /** Returns the game of a link. Requests the position at the root of its tree at the
   * same time, so that the first board is there one round trip sooner. */
  async linked(linked: Linked, signal: AbortSignal): Promise<GameDetails> {
    const { game, tree } = linked;
    if (this.details.has(game)) return this.game(game, signal);
    // If this fails, the position is requested again later and that error is reported.
    const root = this.connection.client.position(game, rootQuestion(linked), signal).catch(() => null);
    const [details, first] = await Promise.all([this.game(game, signal), root]);
    if (first) this.byNode.set(tree.root, withPieces(first, details));
    return details;
  }

  /** Returns the position of a node, loading the positions from the root to it. */
  async of(node: Node, table: Table, signal: AbortSignal): Promise<Position> {
    const known = this.byNode.get(node);
    if (known) return known;
    const { variant, position } = table;
    const start: PositionQuestion = position === null ? { variant: variant.id } : { variant: variant.id, position };
    const { path } = node;
    const from = path.findLastIndex((it) => this.byNode.has(it));
    const unknown = path.slice(from + 1);
    // One call checks that all moves are legal before each position is requested.
    if (unknown.length > 2) await this.askPatiently(table, { ...start, moves: node.moves }, signal);
    let at: PositionQuestion | null = from >= 0 ? { variant: variant.id, position: this.byNode.get(path[from]!)!.position } : null;
    for (const it of unknown) {
      const answer = await this.askPatiently(table, at ? { ...at, moves: [it.move] } : start, signal);
      this.byNode.set(it, answer);
      at = { variant: variant.id, position: answer.position };
    }
    return this.byNode.get(node)!;
  }

  async ask({ details }: Table, question: PositionQuestion, signal?: AbortSignal): Promise<Position> {
    return withPieces(await this.connection.client.position(details.id, question, signal), details);
  }

  private askPatiently(table: Table, question: PositionQuestion, signal: AbortSignal): Promise<Position> {
    return this.connection.untilReached((s) => this.ask(table, question, s), signal);
  }
}

/** Reads the pieces of games without a layout from the position's text. */
function withPieces(position: Position, details: GameDetails): Position {
  return details.layout ? position : { ...position, board: gridPieces(position.position) };
}
