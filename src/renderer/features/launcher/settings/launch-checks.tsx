import { Check, X } from 'lucide-react';
import { amount } from '#shared/amount.ts';
import type { Launch } from '#shared/ipc/index.ts';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { classNames } from '#renderer/ui/class-names.ts';
import { modeText } from '../launch-words.ts';
import styles from './launch-checks.module.css';

/** The launcher URL beside the request: each check that failed in words, those that passed behind a line, and each parameter in a table. */
export function LaunchChecks({
  launch,
  named,
  onOpenCall,
}: {
  launch: Launch;
  /** True to name the launch, if there are two. */
  named: boolean;
  onOpenCall: (id: number) => void;
}) {
  const { checks, parameters, url, source } = launch;
  const what = source === 'replay' ? 'Replay link' : 'Launcher URL';
  const passed = checks.filter((check) => check.passed);
  const list = (some: typeof checks) => (
    <ul className="stack-tight">
      {some.map(({ rule, passed: isRight, message }) => (
        <li key={rule} className={classNames('sign-line', !isRight && 'bad')}>
          {isRight ? <Check className="good" /> : <X />}
          <span>
            <span className="visually-hidden">{isRight ? 'Passed: ' : 'Failed: '}</span>
            {message}
          </span>
        </li>
      ))}
    </ul>
  );
  const title = named ? `${what}, ${modeText(launch)}` : what;
  return (
    <section className={styles.checks} aria-label={title}>
      <header className={styles.head}>
        <h2 className="faint tiny">{title}</h2>
        {url === null ? null : <CopyButton small side="left" label="Copy the URL, tokens masked" text={url} />}
      </header>
      {checks.length === 0 ? (
        <p className="faint">The response has no URL to check.</p>
      ) : (
        list(checks.filter(({ passed }) => !passed))
      )}
      {passed.length === 0 ? null : (
        <details className={styles.all}>
          <summary>{amount(passed.length, 'check')} passed</summary>
          {list(passed)}
        </details>
      )}
      {parameters.length === 0 ? null : (
        <details className={styles.all}>
          <summary>{amount(parameters.length, 'parameter')}</summary>
          <table className="plain-table tiny">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Returned</th>
                <th scope="col">State</th>
              </tr>
            </thead>
            <tbody>
              {parameters.map(({ name, state, requested, returned }) => (
                <tr key={name} className={state === 'equal' ? undefined : 'bad'}>
                  <th scope="row" className="code">
                    {name}
                  </th>
                  <td className="code">{shown(returned)}</td>
                  <td>{state === 'different' || state === 'missing' ? `${state}, sent ${shown(requested)}` : state}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
      <button type="button" className="link tiny target" onClick={() => onOpenCall(launch.call.id)}>
        Open call
      </button>
    </section>
  );
}

function shown(text: string | null): string {
  if (text === null) return 'absent';
  return text === '' ? 'empty' : text;
}
