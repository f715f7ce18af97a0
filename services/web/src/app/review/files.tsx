// A review as a file: a web page, a text, an animated picture.

import { useState } from 'preact/hooks';

import { learnWords } from '../../text/learn';
import { useApp } from '../app';
import { save } from '../../board/export';
import { filesPart } from '../parts';
import { words } from '../settings';
import type { Review } from '../reviewer';

export function ReviewFiles({ review }: { review: Review }) {
  const app = useApp();
  const { session, announcement, connection } = app;
  const [done, setDone] = useState<[number, number] | null>(null);
  const [isBusy, setBusy] = useState(false);
  const w = words();
  const r = learnWords().review;
  const name = `${session.table.value!.details.id}-${w.review.toLowerCase().replace(/[^a-z]+/g, '-')}`;
  const make = (file: () => Promise<Blob>, extension: string) => () => void connection.attempt(async () => {
    setBusy(true);
    try {
      await session.load(review.path.at(-1)!);
      save(await file(), `${name}.${extension}`);
      announcement.value = r.saved;
    } finally {
      setBusy(false);
      setDone(null);
    }
  });
  const page = async () => (await filesPart.load()).reportOf(app);
  const text = async () => new Blob([(await filesPart.load()).labelledText(app)], { type: 'text/plain' });
  const film = async () => (await filesPart.load()).filmOf(app, (n, total) => setDone([n, total]));
  return (
    <div class="files" role="group" aria-label={r.takeAway} data-testid="review-files">
      <span class="muted">{r.takeAway}</span>
      <div class="row">
        <button type="button" data-testid="save-report" disabled={isBusy} onClick={make(page, 'html')}>{r.asPage}</button>
        <button type="button" data-testid="save-labelled" disabled={isBusy} onClick={make(text, 'txt')}>{r.asText}</button>
        <button type="button" data-testid="save-film" disabled={isBusy} onClick={make(film, 'gif')}>{r.asFilm}</button>
        {done && <progress value={done[0]} max={done[1]} aria-label={r.asFilm} />}
      </div>
    </div>
  );
}
