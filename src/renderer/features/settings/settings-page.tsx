import { Fragment, useId, useRef, useState, type ReactNode } from 'react';
import { Said } from '#renderer/ui/announced.tsx';
import { PageFrame, PageHead } from '#renderer/ui/page-frame.tsx';
import { SearchField } from '#renderer/ui/search-field.tsx';
import { sidebarRow } from '#renderer/ui/sidebar.tsx';
import styles from './settings-page.module.css';

/** One setting with its control. */
interface Setting {
  readonly id: string;
  readonly title: string;
  readonly detail?: ReactNode;
  /** Further words by which the search finds it. */
  readonly words?: string;
  readonly control: ReactNode;
}

/** Settings under one heading; `note` stands beside it, `foot` below its settings. */
export interface SettingsGroup {
  readonly id: string;
  readonly title: string;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly settings: readonly Setting[];
  readonly foot?: ReactNode;
}

const noneFound = "No matching settings or shortcuts. Try part of a command's name.";

/** All settings in groups. Each change applies at once. */
export function SettingsPage({ groups }: { groups: readonly SettingsGroup[] }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(groups[0]?.id);
  const list = useRef<HTMLDivElement>(null);
  const jumped = useRef(false);
  const ids = useId();
  const found = groups.flatMap((group) => {
    const settings = group.settings.filter((setting) =>
      holdsWords(`${group.title} ${setting.title} ${setting.words ?? ''}`, text),
    );
    return settings.length === 0 ? [] : [{ ...group, settings }];
  });
  const headings = () => [...(list.current?.querySelectorAll('h2') ?? [])];

  function goTo(id: string): void {
    setChosen(id);
    jumped.current = true;
    const heading = headings().find((one) => one.id === `${ids}${id}`);
    heading?.scrollIntoView({ block: 'start' });
    heading?.focus({ preventScroll: true });
  }

  function onScroll(): void {
    // The last groups may be too short to come to the top.
    if (jumped.current) {
      jumped.current = false;
      return;
    }
    const top = list.current?.getBoundingClientRect().top ?? 0;
    const above = headings().filter((heading) => heading.getBoundingClientRect().top - top < 40);
    const last = above.at(-1) ?? headings()[0];
    if (last !== undefined) setChosen(last.id.slice(ids.length));
  }

  return (
    <PageFrame>
      <PageHead>
        <h1>Settings</h1>
        <SearchField label="Search settings and shortcuts" value={text} onText={setText} className="search-box" />
      </PageHead>
      <div className={styles.body}>
        <nav className={styles.groups} aria-label="Groups of settings">
          {found.map(({ id, title }) => (
            <button
              key={id}
              type="button"
              className={sidebarRow(id === chosen, 'side-row')}
              aria-current={id === chosen ? 'true' : undefined}
              onClick={() => goTo(id)}
            >
              {title}
            </button>
          ))}
        </nav>
        <div className={styles.list} ref={list} onScroll={onScroll}>
          <Said topic="find" text={found.length === 0 ? noneFound : ''} />
          {found.length === 0 ? <p className={styles.none}>{noneFound}</p> : null}
          {found.map(({ id, title, note, actions, settings, foot }) => (
            <Fragment key={id}>
              <header className={styles.head}>
                <h2 id={`${ids}${id}`} tabIndex={-1}>
                  {title}
                </h2>
                {note === undefined ? null : <span className="faint small">{note}</span>}
                {actions}
              </header>
              <ul aria-labelledby={`${ids}${id}`}>
                {settings.map((setting) => (
                  <li key={setting.id} className={styles.row}>
                    <div>
                      {setting.title}
                      {setting.detail === undefined ? null : <p className="faint tiny">{setting.detail}</p>}
                    </div>
                    <div>{setting.control}</div>
                  </li>
                ))}
              </ul>
              {text === '' && foot !== undefined ? <div>{foot}</div> : null}
            </Fragment>
          ))}
        </div>
      </div>
    </PageFrame>
  );
}

function holdsWords(phrase: string, text: string): boolean {
  const held = phrase.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => held.includes(word));
}
