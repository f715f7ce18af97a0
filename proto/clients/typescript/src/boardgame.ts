// A bot for boardgame.io that plays Pentad's moves.
//
// The rules of a boardgame.io game are its own: the caller says which position its state is,
// and how a move of Pentad is made in it. boardgame.io is not imported, because its packages
// have no form that both bundlers and Node.js load; the caller passes its class `Bot`.

import type { Pentad } from './client.js';
import type { CallOptions } from './transport.js';
import type { HintsQuestion } from './types.js';

/** What a bot gets of a match's state. */
export interface BotState<G, C = unknown> {
  G: G;
  ctx: C;
}

/** A move in a boardgame.io game: its name in `moves` and its arguments. */
export interface BotMove {
  move: string;
  args?: unknown[];
}

/** The parts of boardgame.io's class `Bot` that are used. */
interface BaseBot {
  addOpt(option: { key: string; range?: { min: number; max: number }; initial: unknown }): void;
  getOpt(key: string): unknown;
  enumerate(G: unknown, ctx: unknown, playerID: string): unknown[];
  random<T>(items: T[]): T;
}

/** The class `Bot` of `boardgame.io/ai`, which is abstract. */
export type BotClass = abstract new (...options: any[]) => any;

export interface PentadBotOptions<G, C = unknown> {
  /** `import { Bot } from 'boardgame.io/ai'` */
  Bot: BotClass;
  pentad: Pentad;
  /** Id of Pentad's game. */
  game: string;
  /** The position of a state: `{ moves }`, or `{ position }`, or both. */
  question: (state: BotState<G, C>) => Pick<HintsQuestion, 'variant' | 'position' | 'moves'>;
  /** The move of the boardgame.io game that plays a move of Pentad. */
  move: (move: string, state: BotState<G, C>) => BotMove;
  /** Playing strength, 1 to 10; the debug panel can change it. 10 by default. */
  level?: number;
  /** Other fields of the question: `limits`, `seed`. */
  hint?: Omit<HintsQuestion, 'variant' | 'position' | 'moves' | 'level'>;
  options?: CallOptions;
  /** Called if there is no hint; the bot then plays a random move of the game's `ai.enumerate`.
   * Without it, the failure is that of `play`. */
  onError?: (error: unknown) => void;
}

/** Returns a class for `bots` of boardgame.io's `Local`, and for `Step` and `Simulate`. */
export function pentadBot<G, C = unknown>(setup: PentadBotOptions<G, C>): new (...options: any[]) => any {
  const { Bot, pentad, game, hint, options } = setup;
  return class PentadBot extends (Bot as new (...options: any[]) => BaseBot) {
    constructor(...args: any[]) {
      super(...args);
      this.addOpt({ key: 'level', range: { min: 1, max: 10 }, initial: setup.level ?? 10 });
    }

    /** Returns the action of a hint. */
    async play(state: BotState<G, C>, playerID: string): Promise<{ action: unknown; metadata?: unknown }> {
      try {
        const question = { ...hint, ...setup.question(state), level: Number(this.getOpt('level')) };
        const answer = await pentad.hint(game, question, options);
        const best = answer.hints[0];
        if (!best) throw new Error(`${game}: no hint for ${answer.position}`);
        const { move, args = [] } = setup.move(best.move, state);
        return { action: { type: 'MAKE_MOVE', payload: { type: move, args, playerID } }, metadata: answer };
      } catch (error) {
        if (!setup.onError) throw error;
        setup.onError(error);
        return { action: this.random(this.enumerate(state.G, state.ctx, playerID)) };
      }
    }
  };
}
