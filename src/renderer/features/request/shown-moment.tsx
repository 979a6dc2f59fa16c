import { mostTicking } from './request-clock.ts';

/** Reason why a request is shown for one moment: its length, with what shows it for the present one, or that nobody uses the page. */
export type Held = { readonly by: 'length'; readonly renew: () => void } | { readonly by: 'rest' };

/** The moment that a request is shown for, which does not follow the clock. */
export function ShownMoment({ time, held }: { readonly time: string; readonly held: Held }) {
  const why =
    held.by === 'rest'
      ? 'Croupier lets the clock rest while nobody uses the page.'
      : `Croupier follows the clock up to ${mostTicking.toLocaleString('en')} characters.`;
  return (
    <span className="line" title={why}>
      Shown for {time}
      {held.by === 'rest' ? null : (
        <button type="button" className="link target" onClick={held.renew}>
          Show for now
        </button>
      )}
    </span>
  );
}
