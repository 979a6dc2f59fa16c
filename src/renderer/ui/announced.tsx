import { useEffect, useRef, useSyncExternalStore } from 'react';
import { announcer } from './announcer.ts';

/** The page's two live regions. A screen reader says each line that comes into them; those of the second interrupt it. */
export function Announced() {
  const lines = useSyncExternalStore(announcer.watch, announcer.lines);
  return (
    <div className="visually-hidden" data-announcer>
      {[false, true].map((urgent) => (
        <div key={String(urgent)} aria-live={urgent ? 'assertive' : 'polite'} aria-relevant="additions">
          {lines.map((line) =>
            line.urgent === urgent ? (
              <p key={line.id} data-while={line.passes || undefined}>
                {line.text}
              </p>
            ) : null,
          )}
        </div>
      ))}
    </div>
  );
}

/**
 * Says a text whenever it becomes another, and not the one that it is first drawn with: the user has just opened that. `topic`: at most
 * one in some seconds.
 */
export function Said({ text, topic }: { text: string; topic?: string }) {
  const said = useRef(text);
  useEffect(() => {
    if (text === said.current) return;
    said.current = text;
    announcer.say(text, topic === undefined ? {} : { topic });
  }, [text, topic]);
  return null;
}
