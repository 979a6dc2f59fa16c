import { useState } from 'react';
import { useStore } from 'zustand';
import { RefreshCw, Trash } from 'lucide-react';
import { removes } from '#shared/chords.ts';
import type { PoolToken } from '#shared/ipc/index.ts';
import { textIn } from '#renderer/api/bytes.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { classNames } from '#renderer/ui/class-names.ts';
import { DataTable, type Column } from '#renderer/ui/data-table.tsx';
import { Dialog } from '#renderer/ui/dialog.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { FileButton } from '#renderer/ui/file-button.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Pill, type PillTone } from '#renderer/ui/pill.tsx';
import { TextArea } from '#renderer/ui/text-area.tsx';
import { useDroppedFiles } from '#renderer/ui/use-dropped-files.ts';
import type { LauncherStore } from '../tabs/launcher-store.ts';
import styles from './token-pool-dialog.module.css';

/** Most characters of a text that core takes. */
const mostCharacters = 2_000_000;

/** The session tokens that launches of an environment may take; `gameId` is that of the form, which a renewal needs. */
export function TokenPoolDialog({
  store,
  environmentName,
  gameId,
}: {
  store: LauncherStore;
  environmentName: string;
  gameId: string;
}) {
  const pool = useStore(store, (state) => state.pool);
  const { closePool, restoreTokens, removeTokens } = store.getState();
  const tokens = pool?.tokens ?? [];
  const used = tokens.filter(({ state }) => state === 'used').length;
  return (
    <Dialog
      onClose={closePool}
      width="large"
      title={`Token pool of ${environmentName}`}
      description="Each launch uses the next unused token. Tokens stay in memory until Croupier exits, never in a file."
      actions={
        <>
          {used === 0 ? null : <Button onClick={() => startWork(restoreTokens())}>Reset used tokens ({used})</Button>}
          {tokens.length === 0 ? null : (
            <Button data-danger icon={<Trash />} onClick={() => startWork(removeTokens(tokens.map(({ id }) => id)))}>
              Remove all
            </Button>
          )}
          <Button variant="primary" onClick={closePool}>
            Done
          </Button>
        </>
      }
    >
      <AddTokens store={store} />
      <News store={store} />
      {tokens.length === 0 ? (
        <p className={styles.empty}>No tokens yet.</p>
      ) : (
        <div className={styles.list} style={{ ['--rows' as string]: Math.min(tokens.length, 8) }}>
          <DataTable
            label="Session tokens"
            columns={columnsFor(store, gameId.trim())}
            rows={tokens}
            rowKey={({ id }) => id}
            onKey={(event, { id }) => {
              if (!removes(event)) return false;
              startWork(removeTokens([id]));
              return true;
            }}
          />
        </div>
      )}
    </Dialog>
  );
}

function AddTokens({ store }: { store: LauncherStore }) {
  const [text, setText] = useState('');
  const { addTokens } = store.getState();

  async function addText(): Promise<void> {
    if (await addTokens(text, '')) setText('');
  }
  async function addFile(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    if (file.size > mostCharacters)
      return store.setState({ poolNews: { tone: 'bad', lines: [`${file.name} is larger than 2 MB. Split it.`] } });
    try {
      await addTokens(await textIn(file), file.name.slice(0, 255));
    } catch (error) {
      store.setState({ poolNews: { tone: 'bad', lines: [asAppError(error).message] } });
    }
  }
  const { over, handlers } = useDroppedFiles(([file]) => startWork(addFile(file)));
  return (
    <div className={classNames(styles.add, over && 'drop-over')} {...handlers}>
      <Field
        label="Add tokens"
        layout="stack"
        hint="One token per line, JSON, or CSV with token and optionally playerId, lang, country and currency. Paste, drop or choose a file."
      >
        <TextArea data-session-token="" code rows={3} value={text} onText={setText} maxLength={mostCharacters} />
      </Field>
      <div className="line">
        <Button waits={text.trim() === '' ? 'Paste tokens first.' : null} onClick={() => startWork(addText())}>
          Add
        </Button>
        <FileButton
          label="File with tokens"
          accept=".csv,.txt,.json,.jsonl,text/plain,text/csv,application/json"
          onFile={(file) => startWork(addFile(file))}
        />
      </div>
    </div>
  );
}

/** The result of the last change. */
function News({ store }: { store: LauncherStore }) {
  const news = useStore(store, (state) => state.poolNews);
  return (
    <div role="status" className={styles.news}>
      {news?.lines.map((line, at) => (
        <p key={line} className={news.tone === 'bad' && at === 0 ? 'bad' : undefined}>
          {line}
        </p>
      ))}
    </div>
  );
}

const tones: Readonly<Record<PoolToken['state'], PillTone>> = { unused: 'good', taken: 'note', used: 'plain', 'in use': 'note' };

function stateWords({ state, user }: PoolToken): string {
  if (state === 'in use') return `in use by ${user}`;
  return state === 'taken' ? 'being taken' : state;
}

function columnsFor(store: LauncherStore, gameId: string): readonly Column<PoolToken>[] {
  const { removeTokens, renewPoolToken } = store.getState();
  return [
    { id: 'start', title: 'Token', width: '72px', code: true, text: ({ start }) => `${start}…` },
    { id: 'from', title: 'Source', width: 'minmax(120px, 1fr)', text: ({ from }) => from.replace(/^pool, /, '') },
    { id: 'player', title: 'Player', width: 'minmax(90px, 0.8fr)', code: true, text: ({ playerId }) => playerId },
    {
      id: 'state',
      title: 'State',
      width: 'minmax(110px, 0.9fr)',
      text: stateWords,
      cell: (token) => (
        <Pill size="small" tone={tones[token.state]}>
          {stateWords(token)}
        </Pill>
      ),
    },
    {
      id: 'actions',
      title: 'Actions',
      quiet: true,
      width: '64px',
      align: 'end',
      text: () => '',
      cell: ({ id, state, from }) => (
        <>
          <IconButton
            small
            label={gameId === '' ? 'Choose a game to renew the token' : 'Renew it with generateNewToken'}
            icon={<RefreshCw />}
            disabled={gameId === '' || state === 'in use' || state === 'taken'}
            onClick={() => startWork(renewPoolToken(id, gameId))}
          />
          <IconButton
            small
            label={`Remove the token of ${from}`}
            icon={<Trash />}
            disabled={state === 'taken'}
            onClick={() => startWork(removeTokens([id]))}
          />
        </>
      ),
    },
  ];
}
