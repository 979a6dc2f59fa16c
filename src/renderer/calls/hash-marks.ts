import type { TextMark } from '#renderer/editor/read-only-text.tsx';
import type { BodyMark } from './body-text.ts';
import type { HashMark } from './hash-input-text.ts';
import styles from './hash-marks.module.css';

/** Returns the mark of a part of a hash input or a body, as text or in hexadecimal. */
export function textMark({ start, end, kind, label }: HashMark | BodyMark): TextMark {
  return {
    start,
    end,
    className: kind === 'token' ? 'hidden-token' : (styles[kind] ?? ''),
    ...(label === undefined ? {} : { before: label }),
  };
}
