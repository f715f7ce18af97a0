// The dialogs of the board's look and sounds, and of the keyboard.

import { Fragment } from 'preact';

import { useApp } from '../../app/app';
import { Modal } from '../../app/modal';
import { useObservable } from '../../app/observable';
import { change, settings } from '../../app/settings';
import { SHORTCUTS } from '../../app/shortcuts';
import { adopt } from '../../app/adopt';
import { Toggle } from '../../app/tools';
import { LOOKS } from '../../board/looks';
import css from './options.css';
import { optionTexts } from './text';

adopt(css);

export function LookDialog() {
  const { boardDialog: dialog } = useApp();
  const { look, sounds, evaluationBar, language } = useObservable(settings);
  const t = optionTexts[language];
  return (
    <Modal title={t.title} testid="look-dialog" close={() => (dialog.value = null)}>
      <fieldset class="looks">
        <legend>{t.look}</legend>
        {LOOKS.map((it) => (
          <label key={it} class={`look ${it}`}>
            <input type="radio" name="look" value={it} checked={it === look} data-testid={`look-${it}`} onChange={() => change({ look: it })} />
            <span>{t.looks[it]}</span>
          </label>
        ))}
      </fieldset>
      <Toggle label={t.bar} on={evaluationBar} testid="evaluation-bar" change={(on) => change({ evaluationBar: on })} />
      <Toggle label={t.sounds} on={sounds} testid="sounds" change={(on) => change({ sounds: on })} />
    </Modal>
  );
}

export function KeysDialog() {
  const { boardDialog: dialog } = useApp();
  const { letterKeys, language } = useObservable(settings);
  const t = optionTexts[language];
  return (
    <Modal title={t.keys} testid="keys-dialog" close={() => (dialog.value = null)}>
      <Keys title={t.everywhere} keys={[...t.navigation, ...(Object.keys(SHORTCUTS) as (keyof typeof SHORTCUTS)[]).map((key) => [key === '?' ? key : key.toUpperCase(), t.shortcuts[key]] as const)]} />
      <Toggle label={t.letters} on={letterKeys} testid="letter-keys" change={(on) => change({ letterKeys: on })} />
      <Keys title={t.onBoard} keys={t.board} />
      <Keys title={t.withMouse} keys={t.mouse} />
    </Modal>
  );
}

function Keys({ title, keys }: { title: string; keys: readonly (readonly [string, string])[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl class="keys">
        {keys.map(([key, meaning]) => <div key={key}><dt>{key.split(' ').map((it, i) => <Fragment key={i}>{i > 0 && ' '}<kbd>{it}</kbd></Fragment>)}</dt><dd>{meaning}</dd></div>)}
      </dl>
    </section>
  );
}
