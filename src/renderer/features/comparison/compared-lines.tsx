import type { ReactNode } from 'react';
import { callNumber } from '#shared/calls/pack-words.ts';
import type { ComparedLine } from '#shared/calls/compare-calls.ts';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import type { ReadyCalls } from './comparison-store.ts';
import styles from './compared-lines.module.css';

/** Number of characters of a long value that a line shows; the editor below shows all of it. */
const longest = 300;
/** Number of lines that are shown; a request has a dozen. */
const most = 500;

/** Two lists side by side, name by name, with a word for each line that says whether it is the same. */
export function ComparedLines({
  label,
  calls,
  compared: { lines, reordered },
  children,
}: {
  label: string;
  calls: ReadyCalls;
  compared: { readonly lines: readonly ComparedLine[]; readonly reordered: boolean };
  /** Findings above the lists. */
  children?: ReactNode;
}) {
  const [left, right] = [`Call ${callNumber(calls.left)}`, `Call ${callNumber(calls.right)}`];
  return (
    <section className={styles.section} aria-label={label}>
      <header>
        <h3>{label}</h3>
        <CopyButton small label={`Copy as text: ${label.toLowerCase()}`} text={() => plainText(lines, left, right)} />
      </header>
      {children}
      {reordered ? <p className="band quiet">Shared names are in a different order.</p> : null}
      {lines.length === 0 ? (
        <p className="band quiet">None in either.</p>
      ) : (
        <table className={styles.table}>
          <caption className="visually-hidden">{label}</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">{left}</th>
              <th scope="col">{right}</th>
              <th scope="col">Verdict</th>
            </tr>
          </thead>
          <tbody>
            {lines.slice(0, most).map((line) => (
              <tr key={`${line.name} ${line.occurrence ?? ''}`} data-equal={line.equal}>
                <th scope="row">
                  {line.name}
                  {line.occurrence === null ? null : <span className="faint">{` (${line.occurrence})`}</span>}
                </th>
                <Value text={line.left} />
                <Value text={line.right} />
                <td>
                  <Pill tone={line.equal ? 'plain' : 'warn'} size="small">
                    {verdictOf(line, left, right)}
                  </Pill>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {lines.length > most ? (
        <p className="band quiet">{`${(lines.length - most).toLocaleString('en')} more are not listed.`}</p>
      ) : null}
    </section>
  );
}

function Value({ text }: { text: string | null }) {
  if (text === null) return <td className="faint">absent</td>;
  return (
    <td>
      <code>{text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text}</code>
    </td>
  );
}

/** Returns a line for each row, with tabs between its parts, as a spreadsheet takes it. */
function plainText(lines: readonly ComparedLine[], left: string, right: string): string {
  const row = (line: ComparedLine) => [line.name, line.left ?? '', line.right ?? '', verdictOf(line, left, right)].join('\t');
  return [['name', left, right, 'verdict'].join('\t'), ...lines.map(row)].join('\n');
}

function verdictOf({ equal, left, right }: ComparedLine, leftTitle: string, rightTitle: string): string {
  if (equal) return 'same';
  if (right === null) return `only in ${leftTitle.toLowerCase()}`;
  return left === null ? `only in ${rightTitle.toLowerCase()}` : 'changed';
}
