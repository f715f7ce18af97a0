// Buttons below the board that change how it is shown, and the dialogs that they open.

import type { JSX } from 'preact';

import { useApp } from './app';
import { Icon } from './board-panel';
import { useObservable } from './observable';
import { Lazy } from './part';
import { editorPart, optionsPart } from './parts';
import { settings, words } from './settings';
import { turnBoard } from './shortcuts';

export type DialogName = 'look' | 'keys' | 'editor';

export function BoardTools() {
  const app = useApp();
  useObservable(settings);
  const view = useObservable(app.session.view);
  const w = words();
  const hasBoard = (view?.reading.layout.points.length ?? 0) > 0;
  const open = (name: DialogName) => () => (app.boardDialog.value = name);
  return (
    <div class="boardtools" role="group" aria-label={w.boardTools}>
      {hasBoard && <Tool name={w.turnBoard} testid="turn-board" icon="M4 12a8 8 0 1 1 3 6.2M4 12l-2.4-2.6M4 12l3-1.8" run={() => turnBoard(app)} />}
      {hasBoard && <Tool name={w.editPosition} testid="edit" icon="M5 19l1-4L16 5l3 3L9 18zM14 7l3 3" run={open('editor')} />}
      <Tool name={w.look} testid="look" icon="M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5" run={open('look')} />
      <Tool name={w.shortcuts} testid="keys" icon="M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 2M12 17.6v.1" run={open('keys')} />
    </div>
  );
}

function Tool({ name, testid, icon, run }: { name: string; testid: string; icon: string; run: () => void }): JSX.Element {
  return <button type="button" class="tool" title={name} aria-label={name} data-testid={testid} onClick={run}><Icon d={icon} isLine /></button>;
}

export function Dialogs() {
  const { boardDialog: dialog } = useApp();
  const name = useObservable(dialog);
  if (name === 'look') return <Lazy part={optionsPart} draw={({ LookDialog }) => <LookDialog />} />;
  if (name === 'keys') return <Lazy part={optionsPart} draw={({ KeysDialog }) => <KeysDialog />} />;
  if (name === 'editor') return <Lazy part={editorPart} draw={({ Editor }) => <Editor />} />;
  return null;
}
