// The place of the stored puzzles: today's, the next one, a theme, what is solved, and why a
// solution wins.

import { useApp } from '../../app/app';
import { useObservable } from '../../app/observable';
import { settings, words } from '../../app/settings';
import { adopt } from '../../app/adopt';
import { MoveLine } from '../../app/tools';
import { movesOf } from '../../model/numbering';
import { GRADES, gradeOf, type PuzzleSet, type StoredPuzzle } from '../../model/puzzle-set';
import { placeOf, type PuzzlePlace } from './place';
import css from './puzzles.css';
import { puzzleTexts, type PuzzleWords } from './text';

export { placeOf };

adopt(css);
const ownWords = (): PuzzleWords => puzzleTexts[settings.value.language];

export function Place() {
  const app = useApp();
  const place = placeOf(app);
  const set = useObservable(place.set);
  useObservable(place.progress);
  useObservable(place.theme);
  useObservable(app.puzzler.current);
  useObservable(settings);
  const t = ownWords();
  if (set === undefined) return <p class="muted">{words().loading}</p>;
  if (set === null) return <p class="muted" data-testid="no-set">{t.noSet}</p>;
  const daily = place.daily();
  const next = place.next();
  const current = place.current;
  return (
    <section class="puzzleplace" aria-label={t.stored}>
      <div class="row">
        {next && <button type="button" class={current ? '' : 'primary'} data-testid="next-puzzle" onClick={() => void place.open(next)}>{t.next}</button>}
        {daily && (
          <button type="button" data-testid="daily-puzzle" onClick={() => void place.open(daily)}>
            {t.daily}{place.isSolved(daily.id) && <> <span role="img" aria-label={t.solved}>✓</span></>}
          </button>
        )}
        <Themes place={place} set={set} />
      </div>
      <Standing place={place} set={set} />
      {!next && <p>{t.allSolved}</p>}
      <Grades place={place} set={set} />
    </section>
  );
}

function Themes({ place, set }: { place: PuzzlePlace; set: PuzzleSet }) {
  const [w, t] = [words(), ownWords()];
  const themes = [...new Set(set.puzzles.map((puzzle) => puzzle.theme))].filter((theme) => w.themes[theme]);
  if (themes.length < 2) return null;
  return (
    <label class="inline"><span>{t.theme}</span>
      <select data-testid="puzzle-theme" value={place.theme.value} onChange={(e) => (place.theme.value = e.currentTarget.value)}>
        <option value="">{t.allThemes}</option>
        {themes.map((theme) => <option key={theme} value={theme}>{w.themes[theme]}</option>)}
      </select>
    </label>
  );
}

function Standing({ place, set }: { place: PuzzlePlace; set: PuzzleSet }) {
  const t = ownWords();
  const { streak, bestStreak } = place.progress.value;
  const nSolved = set.puzzles.filter((puzzle) => place.isSolved(puzzle.id)).length;
  const days = place.daysInRow();
  return (
    <p class="standing" data-testid="standing">
      <span>{t.solvedOf(nSolved, set.puzzles.length)}</span>
      <span data-testid="streak">{t.streak(streak)}{bestStreak > streak && ` (${t.best(bestStreak)})`}</span>
      {days > 1 && <span>{t.days(days)}</span>}
    </p>
  );
}

/** The puzzles by rising difficulty, one row for each grade. */
function Grades({ place, set }: { place: PuzzlePlace; set: PuzzleSet }) {
  const t = ownWords();
  const offered = new Set(place.offered());
  return (
    <details class="grades">
      <summary>{t.all}</summary>
      {Array.from({ length: GRADES }, (_, i) => i + 1).map((grade) => {
        const puzzles = set.puzzles.filter((puzzle) => gradeOf(set, puzzle) === grade && offered.has(puzzle));
        return puzzles.length > 0 && (
          <div key={grade} class="grade" role="group" aria-label={t.grade(grade)}>
            <Stars grade={grade} />
            <span class="numbers">{puzzles.map((puzzle) => <Numbered key={puzzle.id} place={place} set={set} puzzle={puzzle} />)}</span>
          </div>
        );
      })}
    </details>
  );
}

const SIGNS = { first: '✓', later: '✓', failed: '✕' } as const;

function Numbered({ place, set, puzzle }: { place: PuzzlePlace; set: PuzzleSet; puzzle: StoredPuzzle }) {
  const t = ownWords();
  const result = place.progress.value.results[puzzle.id];
  const number = 1 + set.puzzles.indexOf(puzzle);
  const label = [words().puzzle(number), describe(puzzle, place.nSeats(puzzle)), result && t.results[result]].filter(Boolean).join(', ');
  return (
    <button type="button" class={`numbered ${result ?? ''}`} data-testid="stored-puzzle" aria-label={label} title={label}
      aria-current={place.current === puzzle ? 'true' : undefined} onClick={() => void place.open(puzzle)}>{number}{result && <small aria-hidden="true">{SIGNS[result]}</small>}</button>
  );
}

export function Stars({ grade }: { grade: number }) {
  return <span class="stars" role="img" aria-label={ownWords().grade(grade)}>{'★'.repeat(grade)}<span class="off">{'★'.repeat(GRADES - grade)}</span></span>;
}

function describe({ theme, pliesToEnd }: StoredPuzzle, nSeats: number): string {
  const w = words();
  return [w.themes[theme], w.winIn(movesOf(pliesToEnd, nSeats))].filter(Boolean).join(' · ');
}

/** Why the solution of a solved puzzle wins, and the next puzzle. */
export function Solved() {
  const app = useApp();
  const place = placeOf(app);
  const explanation = useObservable(place.explanation);
  useObservable(place.set);
  useObservable(settings);
  const { set: { value: set }, current } = place;
  const t = ownWords();
  if (!current || !set || app.puzzler.current.value?.state !== 'solved') return null;
  const next = place.next();
  return (
    <div class="given why-solved" data-testid="why-solved">
      <p><Stars grade={gradeOf(set, current)} /> {describe(current, place.nSeats(current))}</p>
      {explanation && <p>{t.solution} <MoveLine from={explanation.root} moves={explanation.line} /></p>}
      {explanation?.reasons.map((reason, i) => <p key={i}>{reason}</p>)}
      {next && <p><button type="button" class="primary" data-testid="next-after" onClick={() => void place.open(next)}>{t.next}</button></p>}
    </div>
  );
}
