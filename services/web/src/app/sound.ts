// Quiet sounds of moves, off by default. What makes them is loaded when they are switched on.

import { soundsPart } from './parts';
import type { App } from './app';
import { settings } from './settings';

export type Sound = 'place' | 'turn' | 'end' | 'right' | 'wrong';

export function playSounds(app: App): void {
  const { session, puzzler } = app;
  const play = (sound: Sound) => {
    if (settings.value.sounds) void soundsPart.load().then(({ sounds }) => sounds.play(sound), () => undefined);
  };
  session.view.watch(() => {
    const view = session.view.value;
    if (!view?.motion) return;
    play(view.position.outcome ? 'end' : view.motion.blocks.length > 0 ? 'turn' : 'place');
  });
  let state = '';
  puzzler.current.watch(() => {
    const now = puzzler.current.value?.state ?? '';
    if (now !== state && now === 'solved') play('right');
    if (now !== state && now === 'wrong') play('wrong');
    state = now;
  });
}
