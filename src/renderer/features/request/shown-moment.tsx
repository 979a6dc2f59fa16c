import { mostTicking } from './request-clock.ts';

/** Reason why a request is shown for one moment: its length, with what shows it for the present one, or that nobody uses the page. */
export type Held = { readonly by: 'length'; readonly renew: () => void } | { readonly by: 'rest' };

/** The moment that a request is shown for, which does not follow the clock. */
export function ShownMoment({ time, held }: { readonly time: string; readonly held: Held }) {
  const why =
    held.by === 'rest'
      ? "The clock pauses while you're inactive."
      : `In requests over ${mostTicking.toLocaleString('en')} characters, the time isn't updated automatically.`;
  return (
    <span className="line" title={why}>
      Shown with time {time}
      {held.by === 'rest' ? null : (
        <button type="button" className="link target" onClick={held.renew}>
          Update
        </button>
      )}
    </span>
  );
}
