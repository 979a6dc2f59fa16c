import { Fragment, useId, useRef, useState, type KeyboardEvent } from 'react';
import { chordOf } from '#shared/chords.ts';
import { Said } from '#renderer/ui/announced.tsx';
import { announcer } from '#renderer/ui/announcer.ts';
import { Button } from '#renderer/ui/button.tsx';
import { pressOf } from '#renderer/ui/composition.ts';
import { Kbd } from '#renderer/ui/kbd.tsx';
import { isApplePlatform, keyText } from '#renderer/ui/key-label.ts';
import styles from './chord-control.module.css';

/** Shows the keys of a command; a press lets the user give it others. */
export function ChordControl({
  title,
  keys,
  changed,
  shared,
  onAssign,
  onReset,
}: {
  /** The command. */
  title: string;
  keys: readonly string[];
  changed: boolean;
  /** Titles of the commands that have one of the keys, too. */
  shared: readonly string[];
  onAssign: (chords: readonly string[]) => void;
  onReset: () => void;
}) {
  const [recording, setRecording] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const hintId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const apple = isApplePlatform(navigator.platform);
  const spokenOf = (chords: readonly string[]) =>
    chords.length === 0 ? 'no keys' : chords.map((chord) => keyText(chord, apple)).join(' or ');

  function end(): void {
    setRecording(false);
    setRefused(null);
  }

  function onKeyDown(event: KeyboardEvent<HTMLButtonElement>): void {
    if (!recording) return;
    // Leaving by Tab ends it.
    if (event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return;
    const held = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
    if (event.key === 'Escape' && !held) return end();
    if (event.key === 'Backspace' && !held) {
      return assign([]);
    }
    const pressed = chordOf(pressOf(event), apple);
    if (pressed === null) return;
    if ('refused' in pressed) return setRefused(pressed.refused);
    assign([pressed.chord]);
  }

  function assign(chords: readonly string[]): void {
    onAssign(chords);
    announcer.say(`"${title}" has ${spokenOf(chords)}.`);
    end();
  }

  return (
    <div className={styles.control}>
      <Said text={refused ?? ''} />
      <div className={styles.line}>
        {changed && !recording ? <span className="faint tiny">changed</span> : null}
        {shared.length > 0 && !recording ? <span className="bad tiny">{`also "${shared.join('", "')}"`}</span> : null}
        <button
          ref={button}
          type="button"
          className={recording ? styles.recording : styles.keys}
          aria-label={recording ? `Press new keys for "${title}"` : `Keys for "${title}": ${spokenOf(keys)}`}
          aria-describedby={recording ? hintId : undefined}
          data-takes-keys={recording || undefined}
          onClick={() => setRecording(true)}
          onKeyDown={onKeyDown}
          // A button acts when the space bar goes up, and Firefox counts a prevented press.
          onKeyUp={(event) => recording && event.preventDefault()}
          onBlur={end}
        >
          {recording ? (
            'Press new keys'
          ) : keys.length === 0 ? (
            <span className="faint tiny">–</span>
          ) : (
            keys.map((chord, at) => (
              <Fragment key={chord}>
                {at === 0 ? null : <span className="faint tiny"> or </span>}
                <Kbd keys={chord} />
              </Fragment>
            ))
          )}
        </button>
        {changed && !recording ? (
          <Button
            variant="quiet"
            aria-label={`Reset keys for "${title}"`}
            onClick={() => {
              onReset();
              button.current?.focus();
            }}
          >
            Reset
          </Button>
        ) : null}
      </div>
      {recording ? (
        <p id={hintId} className={refused === null ? 'faint tiny' : 'bad tiny'}>
          {refused ?? 'Esc cancels, Backspace removes the keys.'}
        </p>
      ) : null}
    </div>
  );
}
