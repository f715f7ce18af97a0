// A dialog over the page. Escape and a click beside it close it.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { Icon } from './board-panel';
import { words } from './settings';

export function Modal(props: { title: string; class?: string; testid: string; close: () => void; children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current!;
    dialog.showModal();
    // Closing restores the focus.
    return () => dialog.close();
  }, []);
  return (
    <dialog ref={element} class={`card modal ${props.class ?? ''}`} aria-label={props.title} data-testid={props.testid}
      onClose={props.close} onPointerDown={(e) => e.target === element.current && isBeside(e, e.currentTarget) && props.close()}>
      <header><h2>{props.title}</h2>
        <button type="button" class="tool" aria-label={words().dismiss} data-testid="close" onClick={props.close}><Icon d="M6 6l12 12M18 6L6 18" /></button>
      </header>
      {props.children}
    </dialog>
  );
}

function isBeside(event: PointerEvent, dialog: HTMLDialogElement): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return event.clientX < left || event.clientX > right || event.clientY < top || event.clientY > bottom;
}
