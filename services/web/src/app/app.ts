// Creates the parts of the page and connects them.

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

import { Client } from '../api/client';
import { forgetPreloaded, takePreloaded } from '../api/preload';
import type { Pieces } from '../api/types';
import { BoardView, type BoardWords } from '../board/view';
import type { PlaceValue } from '../board/annotations';
import { movesOf } from '../model/numbering';
import type { Words } from '../text';
import { resumeActivity, type Activity } from './activity';
import { Analyser } from './analyser';
import { Observable } from './observable';
import { Connection } from './connection';
import { Explorer } from './explorer';
import { Helper } from './helper';
import { MoveTexts } from './move-texts';
import { Opponent } from './opponent';
import { puzzlesPart } from './parts';
import { Puzzler } from './puzzler';
import { Reviewer } from './reviewer';
import { Session } from './session';
import { settings, words } from './settings';
import { storedActivity } from './stored';
import { TokenHolder } from './token';
import { announceChanges } from './announcer';
import { annotateBoard } from './annotate-board';
import { afterFrame, showBoard } from './frame';
import type { DialogName } from './board-tools';
import { listenToShortcuts } from './shortcuts';
import { playSounds } from './sound';

/** The line under the pointer or the keyboard focus. */
export interface Preview {
  board: Pieces;
  /** Points that its last move changed. */
  last: string[];
  /** Its last move in words; empty as long as there are none. */
  text: string;
}

export const TABS = ['moves', 'explorer', 'review', 'puzzles', 'share'] as const;
export type Tab = (typeof TABS)[number];

export class App {
  readonly token = new TokenHolder();
  readonly client = new Client({
    language: () => settings.value.language,
    credentials: this.token,
    preloaded: takePreloaded,
    onAnswer: () => this.connection.reached(),
  });
  readonly connection = new Connection(this.client);
  readonly session = new Session(this.connection);
  readonly moveTexts = new MoveTexts(this.session);
  readonly analyser = new Analyser(this.session, this.moveTexts);
  readonly opponent = new Opponent(this.session, this.moveTexts);
  readonly helper = new Helper(this.session, this.moveTexts);
  readonly explorer = new Explorer(this.session);
  readonly reviewer = new Reviewer(this.session, this.moveTexts);
  readonly puzzler = new Puzzler(this.session, this.helper, this.moveTexts);
  readonly preview = new Observable<Preview | null>(null);
  /** What guides the reader on the board, if anything does. */
  readonly activity = new Observable<Activity | null>(null);
  /** The entry point whose dialog is open. */
  readonly entry = new Observable<'play' | 'practise' | 'learn' | null>(null);
  /** The tab of the panel beside the board. */
  readonly tab = new Observable<Tab>('moves');
  readonly announcement = new Observable('');
  /** A sentence shown for a while. */
  readonly notice = new Observable<string | null>(null);
  /** Whether an activity was interrupted by a reload and does not yet go on. */
  private isResuming = storedActivity() !== null;
  /** The dialog that is open. */
  readonly boardDialog = new Observable<DialogName | null>(null);
  readonly board = new BoardView(this.boardWords());

  async open(): Promise<void> {
    const { session, board } = this;
    board.onChoose = (choice) => void session.choose(choice);
    board.onCancel = () => void session.cancel();
    board.onRefuse = (point) => void this.refuse(point);
    board.onKey = (event) => this.navigate(event.key, ['PageUp', 'PageDown', 'Home', 'End', 'Backspace']);
    document.addEventListener('keydown', (event) => this.documentKey(event));
    let { language } = settings.value;
    settings.watch(() => {
      board.setWords(this.boardWords());
      if (settings.value.language === language) return;
      ({ language } = settings.value);
      void session.readAgain();
    });
    session.beforeMove = (view, move) => this.moveTexts.askSoon(view.question, move);
    session.onPlayed = (view, before) => {
      if (typeof session.seatAt(before.node) === 'number' || this.puzzler.current.value || this.activity.value) return;
      // The better move is not named unasked.
      if (this.analyser.isOn) void this.helper.explain(view, before);
      else this.helper.offer(view, before);
    };
    session.onFollow = () => {
      if (this.puzzler.current.value) this.puzzler.drop();
    };
    session.onPuzzle = (id) => void this.resumePuzzle(id);
    this.token.onGiven = (isAwaited) => {
      this.connection.problem.value = null;
      if (!isAwaited) void (session.view.value ? session.readAgain() : session.loadAddress());
    };
    session.view.watch(() => (this.notice.value = null));
    this.puzzler.current.watch(() => this.hold());
    this.takeTurns();
    session.table.watch(() => this.hold());
    annotateBoard(this);
    announceChanges(this);
    listenToShortcuts(this);
    playSounds(this);
    await session.open();
    forgetPreloaded();
    // Only the panels beside the board need to know the optional calls.
    await afterFrame();
    await this.helper.detect();
    if (this.isResuming) await resumeActivity(this);
    this.isResuming = false;
    this.hold();
  }

  /** Shows a tab, also if it lies below the edge of the window. */
  openTab(tab: Tab): void {
    this.tab.value = tab;
    document.getElementById(`tab-${tab}`)?.scrollIntoView({ block: 'start' });
  }

  /** Ends an activity when another one or a puzzle starts, and a puzzle when an activity
   * starts. */
  private takeTurns(): void {
    const { activity, puzzler } = this;
    let former: Activity | null = null;
    activity.watch(() => {
      const ended = former;
      former = activity.value;
      if (ended && ended.Panel !== former?.Panel) ended.end();
      if (former && puzzler.current.value) puzzler.drop();
      this.hold();
    });
    let attempt = puzzler.current.value?.puzzle;
    puzzler.current.watch(() => {
      const { current } = puzzler;
      if (current.value) activity.value = null;
      if (current.value && current.value.puzzle !== attempt) void showBoard();
      attempt = current.value?.puzzle;
    });
  }

  /** Begins the move at another point, or says why a point cannot be chosen. */
  private async refuse(point: string): Promise<void> {
    const { session } = this;
    const view = session.view.value;
    if (!view) return;
    const { chosen } = session.entered.value;
    const w = words();
    if (chosen.some((choice) => choice.point === point)) return session.cancel();
    if (this.opponent.isThinking.value) this.notice.value = w.notYourTurn(session.seatName(view.position.toMove));
    else if (view.position.outcome) this.notice.value = `${w.gameOver}.`;
    else if (chosen.length > 0 && (await session.restart(point))) this.notice.value = null;
    else if (chosen.length > 0) this.notice.value = w.notThisStep(point);
    else if (view.position.board[point]) this.notice.value = w.taken(point);
    else this.notice.value = w.notHere(point);
  }

  private boardWords(): BoardWords {
    return boardWords(words(), () => this.session.nPlaying());
  }

  /** Goes on with the stored puzzle of a link. */
  private async resumePuzzle(id: string): Promise<void> {
    await this.connection.attempt(async () => (await puzzlesPart.load()).placeOf(this).resume(id));
  }

  /** Hides the analysis in puzzles and in games against a level. */
  private hold(): void {
    const current = this.puzzler.current.value;
    const seats = this.session.table.value?.seats ?? [];
    const isMatch = seats.includes('person') && seats.some((seat) => typeof seat === 'number');
    const isOpen = current ? current.state !== 'solved' && current.state !== 'wrong' : Boolean(this.session.table.value?.puzzle);
    const activity = this.activity.value;
    this.analyser.isHeld.value = isOpen || this.isResuming || (activity ? activity.hidesAnalysis : isMatch && current === null);
    this.opponent.isHeld.value = current !== null || activity !== null || this.isResuming;
  }

  private documentKey(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const target = event.target as Element | null;
    if (target?.closest('input, select, textarea, svg.board, [role=tablist], [role=listbox], [role=slider]')) return;
    if (this.navigate(event.key, ['ArrowLeft', 'ArrowRight', 'Home', 'End'])) event.preventDefault();
  }

  private navigate(key: string, keys: string[]): boolean {
    if (!keys.includes(key)) return false;
    switch (key) {
      case 'PageUp': case 'ArrowLeft': case 'Backspace': void this.session.undo(); break;
      case 'PageDown': case 'ArrowRight': void this.session.redo(); break;
      case 'Home': void this.session.toStart(); break;
      default: void this.session.toEnd();
    }
    return true;
  }
}

/** `nPlaying` is needed where values of moves are shown. */
export function boardWords(w: Words, nPlaying = () => 2): BoardWords {
  return {
    board: w.board, empty: w.empty, canChoose: w.canChoose, turnRight: w.turnRight, turnLeft: w.turnLeft,
    flipSide: (side) => w.flipSide[side as keyof typeof w.flipSide] ?? side, flipBlock: w.flipBlock,
    piece: (piece) => piece.name || piece.id,
    value: (value) => valueWords(value, w, nPlaying()),
  };
}

/** "win, proven", "63 %, estimate". */
function valueWords(value: PlaceValue, w: Words, nSeats: number): string {
  if (value.kind === 'estimate') return `${Math.round(value.score * 100)} %, ${w.estimate}`;
  const moves = value.pliesToEnd === null || value.kind === 'draw' ? '' : ` ${w.inMoves(movesOf(value.pliesToEnd, nSeats))}`;
  return `${w[value.kind]}${moves}, ${w.proven}`;
}

export const AppContext = createContext<App>(null as unknown as App);
export const useApp = (): App => useContext(AppContext);
