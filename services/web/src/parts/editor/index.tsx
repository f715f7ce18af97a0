// Sets up a position with the mouse, by touch or with the keyboard, or from its text.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

import type { Layout, Piece } from '../../api/types';
import { boardWords, useApp } from '../../app/app';
import { Modal } from '../../app/modal';
import { useObservable } from '../../app/observable';
import { hasSigns, settings, words } from '../../app/settings';
import { SeatDot } from '../../app/setup';
import { adopt } from '../../app/adopt';
import { drawPiece } from '../../board/drawing';
import { svg } from '../../board/svg';
import { BoardView } from '../../board/view';
import type { Choice } from '../../model/choice';
import { Dragging } from './drag';
import css from './editor.css';
import { PositionSetup } from './setup';
import { editorTexts } from './text';

adopt(css);

const TEXT_LEN_MAX = 4000;

export function Editor() {
  const app = useApp();
  const { session, boardDialog: dialog } = app;
  const opened = useMemo(() => (session.table.value && session.view.value ? new PositionSetup(app, session.table.value, session.view.value) : null), []);
  useEffect(() => void opened?.learn(), []);
  if (!opened || !session.view.value) return null;
  return <Opened opened={opened} layout={session.view.value.reading.layout} close={() => (dialog.value = null)} />;
}

function Opened({ opened, layout, close }: { opened: PositionSetup; layout: Layout; close: () => void }) {
  const { session } = useApp();
  const { language } = useObservable(settings);
  const notation = useObservable(opened.notation);
  const setup = useObservable(opened.setup);
  const verdict = useObservable(opened.verdict);
  const [tool, setTool] = useState('');
  const t = editorTexts[language];
  const holder = useRef<HTMLDivElement>(null);
  const position = verdict && 'position' in verdict ? verdict.position : null;
  const use = () => {
    if (!position) return;
    close();
    void session.start(opened.table.details.id, opened.table.variant.id, opened.table.seats, position.position);
  };
  return (
    <Modal title={t.title} class="editor" testid="editor" close={close}>
      <div class="editing" ref={holder}>
        <EditedBoard opened={opened} layout={layout} tool={tool} holder={holder} />
        <div class="setting">
          {notation === null && <p data-testid="text-only">{t.textOnly}</p>}
          {notation && <>
            <Tray pieces={layout.pieces.filter((piece) => notation.pieces.includes(piece.id))} tool={tool} choose={setTool} />
            <div class="row">
              <button type="button" data-testid="start-position" onClick={() => opened.reset()}>{t.start}</button>
              <button type="button" data-testid="clear" onClick={() => opened.clear()}>{t.clear}</button>
            </div>
            <fieldset class="movers"><legend>{t.toMove}</legend>
              {opened.seats.map((seat) => (
                <label key={seat}><input type="radio" name="to-move" value={seat} checked={seat === setup.toMove} data-testid={`to-move-${seat}`} onClick={() => opened.setToMove(seat)} /> <SeatDot seat={seat} /> {session.seatName(seat)}</label>
              ))}
            </fieldset>
          </>}
          <label class="text"><span>{words().position}</span>
            <input type="text" data-testid="setup-text" value={setup.text} maxLength={TEXT_LEN_MAX} spellcheck={false} autocomplete="off" onInput={(e) => opened.type(e.currentTarget.value)} />
          </label>
          {setup.isReset && <p class="muted">{t.reset}</p>}
          <div class={`verdict ${verdict === null ? '' : position ? 'good' : 'bad'}`} role="status" data-testid="verdict" data-legal={verdict === null ? 'unknown' : String(position !== null)}>
            {position && <p>✓ {position.outcome ? `${words().gameOver}. ${position.outcome.text}` : t.legal(session.seatName(position.toMove))}</p>}
            {verdict && !position && <>
              <p>✕ {t.illegal}</p>
              {'problem' in verdict && verdict.problem && <p class="muted" lang="en">{verdict.problem}</p>}
            </>}
          </div>
          <button type="button" class="primary" data-testid="use-position" disabled={!position} onClick={use}>{t.use}</button>
        </div>
      </div>
    </Modal>
  );
}

function EditedBoard(props: { opened: PositionSetup; layout: Layout; tool: string; holder: { current: HTMLDivElement | null } }) {
  const { opened, layout, holder } = props;
  const app = useApp();
  const { look } = useObservable(settings);
  const notation = useObservable(opened.notation);
  const setup = useObservable(opened.setup);
  const place = useRef<HTMLDivElement>(null);
  const tool = useRef('');
  tool.current = props.tool;
  const board = useMemo(() => new BoardView({ ...boardWords(words()), canChoose: '' }), []);
  useLayoutEffect(() => {
    place.current?.append(board.element);
    board.element.classList.add('edited');
    const dragging = new Dragging({
      element: board.element,
      pieceAt: (point) => opened.setup.value.board[point]?.at(-1) ?? null,
      picture: (id) => picture(layout.pieces.find((piece) => piece.id === id)!),
      drop: ({ piece, from }, to) => {
        if (from !== null) opened.move(piece, from, to);
        else if (to !== null && !opened.setup.value.board[to]?.includes(piece)) opened.put(to, piece);
      },
    }, holder.current!);
    const put = (point: string, piece: string | null) => {
      if (!dragging.wasDrag) opened.put(point, piece);
    };
    board.onChoose = (choice) => put(choice.point!, tool.current || null);
    board.onKey = (event) => {
      const key = document.activeElement?.closest<SVGGElement>('[data-key]')?.dataset.key ?? '';
      const isRemoved = event.key === 'Delete' || event.key === 'Backspace';
      if (isRemoved) opened.put(key.slice('point '.length), null);
      return isRemoved;
    };
    board.element.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      const key = (event.target as Element).closest<SVGGElement>('[data-key]')?.dataset.key ?? '';
      if (key.startsWith('point ')) opened.put(key.slice('point '.length), null);
    });
  }, []);
  useLayoutEffect(() => {
    board.change(() => {
      board.setLook(look);
      board.setLayout(layout);
      board.setMarks(hasSigns(opened.seats.length));
      board.setPieces(setup.board);
      board.setChoices(notation ? layout.points.filter((point) => notation.points.has(point.id)).map((point) => choiceOf(point.id)) : []);
    });
  }, [layout, look, notation, setup]);
  return <div class="edited-board" ref={place} style={{ aspectRatio: `${layout.width} / ${layout.height}`, '--ratio': layout.width / layout.height }} aria-label={app.session.table.value?.details.name} role="group" />;
}

const choiceOf = (point: string): Choice => ({ kind: 'point', text: point, lead: '', point, word: point, isWhole: true });

function Tray({ pieces, tool, choose }: { pieces: Piece[]; tool: string; choose: (tool: string) => void }) {
  const t = editorTexts[settings.value.language];
  const chosen = tool || '';
  return (
    <fieldset class="tray"><legend>{t.pieces}</legend>
      {pieces.map((piece) => (
        <label key={piece.id} data-tray={piece.id} title={piece.name}>
          <input type="radio" name="tool" value={piece.id} checked={chosen === piece.id} data-testid={`tray-${piece.id}`} aria-label={piece.name || piece.id} onClick={() => choose(piece.id)} />
          <Picture piece={piece} />
        </label>
      ))}
      <label title={t.remove}>
        <input type="radio" name="tool" value="" checked={chosen === ''} data-testid="tray-remove" aria-label={t.remove} onClick={() => choose('')} />
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" /></svg>
      </label>
    </fieldset>
  );
}

function Picture({ piece }: { piece: Piece }) {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(picture(piece)), [piece]);
  return <span ref={place} aria-hidden="true" />;
}

function picture(piece: Piece): SVGSVGElement {
  return svg('svg', { viewBox: '0 0 1 1' }, drawPiece(piece, { x: 0.5, y: 0.48, r: 0.42 }, () => piece.fill));
}
