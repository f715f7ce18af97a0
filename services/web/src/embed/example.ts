// The example page: listens to the boards' events.

import type { PentadBoard } from './pentad-board';

const board = document.querySelector<PentadBoard>('#moves pentad-board')!;
const log = document.getElementById('log')!;

board.addEventListener('move', (event) => {
  log.textContent = `move ${(event as CustomEvent<{ move: string }>).detail.move}`;
});
board.addEventListener('hint', (event) => {
  log.textContent = `hint ${(event as CustomEvent<{ hints: { move: string }[] }>).detail.hints[0]?.move ?? ''}`;
});
document.getElementById('hint')!.addEventListener('click', () => void board.hint());
document.getElementById('undo')!.addEventListener('click', () => board.undo());
document.querySelector('#puzzle pentad-board')!.addEventListener('puzzle', (event) => {
  const { id, state } = (event as CustomEvent<{ id: string; state: string }>).detail;
  document.getElementById('puzzled')!.textContent = `puzzle ${id} ${state}`;
});
