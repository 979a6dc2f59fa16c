import { memo, useEffect, useMemo, type ReactNode } from 'react';
import { KeyRound, Send, FileInput } from 'lucide-react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { Environment } from '#shared/model/environment.ts';
import type { KeyStatus, SandboxPlayer } from '#shared/ipc/index.ts';
import { actionPointOf, operationByName, type KnownGames } from '#shared/provider/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { ConfirmKey } from '#renderer/calls/confirm-key.tsx';
import { ConfirmSend } from '#renderer/calls/confirm-send.tsx';
import { OtherEnvironment } from '#renderer/calls/other-environment.tsx';
import type { ProductionStatus } from '#renderer/calls/production-store.ts';
import { useMonaco } from '#renderer/editor/load.ts';
import { keepModels } from '#renderer/editor/models.ts';
import { Button } from '#renderer/ui/button.tsx';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { tabId } from '#renderer/ui/tab-strip.tsx';
import type { DigestStore } from './hash-input/digest-store.ts';
import { FileNotice } from './file-notice.tsx';
import { KeptNotices, NotKept } from './kept/kept-notices.tsx';
import type { WorkspaceKeeper } from './kept/workspace-keeper.ts';
import { HashInputPane } from './hash-input/hash-input-pane.tsx';
import { PayloadPane } from './payload/payload-pane.tsx';
import { RequestLine } from './request-line.tsx';
import { RequestSplits, RequestTurns, useTurn } from './request-panes.tsx';
import { RequestNotes } from './request-notes.tsx';
import type { RequestStore } from './tabs/request-store.ts';
import type { RequestTab } from './tabs/request-tab.ts';
import { saveStateOf } from './tabs/save-state.ts';
import { RequestTabs, tabPanelId } from './tabs/request-tabs.tsx';
import { lazyDialog } from '#renderer/ui/lazy-page.ts';
import { COMPACT, useMedia } from '#renderer/ui/use-media.ts';
import type { UnknownFilesStore } from './kept/unknown-files.ts';
import { inputOf, useNextRequest } from './use-next-request.ts';
import { usePreparedRequest, type VariableView } from './use-prepared-request.ts';
import { WarningLine } from '#renderer/ui/warning-line.tsx';
import styles from './request-workspace.module.css';
import type { RequestSubstitution } from '#shared/variables/substitute-request.ts';
import type { Takers } from '#shared/variables/takers.ts';
import { fileTitle } from './tabs/tab-file.ts';

export interface RequestWorkspaceProps {
  readonly store: RequestStore;
  readonly keeper: WorkspaceKeeper;
  readonly unknownFiles: UnknownFilesStore;
  readonly digests: DigestStore;
  /** The environment that the next call goes to; null while none is loaded. */
  readonly environment: Environment | null;
  readonly keyStatus: KeyStatus | null;
  /** Players of the built-in provider; their tokens are offered while its environment is chosen. */
  readonly players: readonly SandboxPlayer[];
  /** The environment's newest game list; null where there is none. */
  readonly games: KnownGames | null;
  /** Draws the response pane of a tab. */
  readonly renderResponse: (tab: RequestTab) => ReactNode;
  /** Source of the values of variables; another object whenever one of them may have changed. */
  readonly variableView: VariableView;
  /** All environments, so that the environment of a call has its name and colour. */
  readonly environments: readonly Environment[];
  /** Core's facts about the selected environment and production; null until they are known. */
  readonly production: ProductionStatus | null;
  readonly onSwitchEnvironment: (environmentId: string) => void;
  /** Ends the time in which Croupier does not ask. */
  readonly onAskAgain: () => void;
  /** Returns why a collection is not saved; null if it is. */
  readonly readOnlyOf: (collectionId: string) => string | null;
  readonly collectionName: (collectionId: string) => string;
  readonly onSetKey: () => void;
  readonly onOpenPoint: (openPointId: string) => void;
  readonly now: () => number;
}

const RunNote = lazyDialog(async () => (await import('./run-note.tsx')).RunNote);

/** Width of the page below which the panes are above each other. */
const STACKED_BELOW = '(max-width: 900px)';

/** The open requests: tabs, the request line, payload and hash input on one side and the response on the other. */
export function RequestWorkspace(props: RequestWorkspaceProps) {
  const { store } = props;
  const activeId = useStore(store, (state) => state.activeId);
  const tab = useStore(store, (state) => state.tabs.find((one) => one.id === state.activeId) ?? null);
  useModels(store);
  return (
    <div className={styles.workspace}>
      <KeptNotices keeper={props.keeper} unknownFiles={props.unknownFiles} />
      <RequestTabs
        store={store}
        keeper={props.keeper}
        activeId={activeId}
        readOnlyOf={props.readOnlyOf}
        collectionName={props.collectionName}
      />
      {tab === null ? (
        <div className={styles.empty}>
          <EmptyState
            icon={<Send />}
            title="No request open"
            action={
              <>
                <Button variant="primary" onClick={() => store.getState().openOperation('gameList')}>
                  Open gameList
                </Button>
                <Button onClick={() => store.getState().openOperation('getLauncherURL')}>Open getLauncherURL</Button>
              </>
            }
          >
            Pick an operation on the left. gameList is the easiest first call.
          </EmptyState>
        </div>
      ) : (
        <div role="tabpanel" id={tabPanelId} aria-labelledby={tabId(tabPanelId, tab.id)} className={styles.panel}>
          <ActiveRequest {...props} tab={tab} />
        </div>
      )}
    </div>
  );
}

function ActiveRequest(props: RequestWorkspaceProps & { readonly tab: RequestTab }) {
  const { store, digests, tab, environment, keyStatus, now, onSetKey, onOpenPoint, renderResponse } = props;
  const operation = operationByName(tab.operation);
  const layout = useStore(
    store,
    useShallow((state) => ({
      orientation: state.orientation,
      panes: state.shares.panes,
      hash: state.shares.hash,
      hashPane: state.hashPane,
      comments: state.comments,
      about: state.about,
    })),
  );
  const readOnly = tab.file === null ? null : props.readOnlyOf(tab.file.collectionId);
  const saving = useMemo(() => saveStateOf({ file: tab.file, dirty: tab.dirty }, readOnly), [tab.file, tab.dirty, readOnly]);
  const inTurns = useMedia(COMPACT);
  const [turn, setTurn] = useTurn(tab);
  const hashShown = inTurns ? turn === 'hash' : layout.hashPane;
  const prepared = usePreparedRequest(tab, environment, now, props.variableView, hashShown);
  const { subject } = prepared;
  const actions = store.getState();
  const actionPoint = actionPointOf(operation);
  const stacked = useMedia(STACKED_BELOW) || layout.orientation === 'stacked';

  const environmentId = environment?.id ?? null;
  const hashWanted = hashShown || tab.view === 'envelope';
  const { want } = digests.getState();
  useEffect(() => want(hashWanted ? inputOf(prepared, environmentId) : null), [want, environmentId, prepared, hashWanted]);
  useEffect(() => () => want(null), [want]);
  const { id, form, text, overrides, extras, file, run } = tab;
  const typed = useMemo(
    () => ({ id, form, text, overrides, extras, file, run, environment, view: props.variableView }),
    [id, form, text, overrides, extras, file, run, environment, props.variableView],
  );
  const next = useNextRequest(prepared, typed, environmentId, digests);

  const payload = (
    <PayloadPane
      store={store}
      tab={tab}
      operation={operation}
      environment={environment}
      next={tab.view === 'envelope' ? next : null}
      problem={prepared.problem}
      filled={prepared.filled}
      known={prepared.known}
      players={props.players}
      games={props.games}
      comments={layout.comments}
      about={layout.about}
      now={now}
      onOpenPoint={onOpenPoint}
    />
  );
  const hash = (
    <HashInputPane
      subject={next.prepared.subject}
      serialization={next.prepared.serialization}
      keyStatus={keyStatus}
      digest={next.digest}
      stability={next.prepared.stability}
      held={next.prepared.held}
      open={hashShown}
      onToggle={inTurns ? null : actions.toggleHashPane}
      onSetKey={onSetKey}
    />
  );
  const response = (
    <div className="full-column">
      <ResponseSlot tab={tab} render={renderResponse} />
    </div>
  );
  const parts = { request: payload, hash, response };
  return (
    <>
      <RequestLine
        store={store}
        tabId={tab.id}
        operation={operation}
        environment={environment}
        url={prepared.url}
        overrides={tab.overrides}
        showsChips={!inTurns || turn === 'request'}
        sending={tab.sending.state === 'sending'}
        saving={saving}
        readOnly={readOnly}
        like={props.production?.like ?? null}
        onOpenEnvironment={onSetKey}
        now={now}
      />
      {/* In the order of what matters: one at a time is shown. */}
      <div className={styles.banners} data-banners>
        {tab.sending.state === 'refused' && (
          <WarningLine>
            <p>{tab.sending.message}</p>
            {tab.sending.code === 'key_missing' && (
              <Button icon={<KeyRound />} onClick={onSetKey}>
                Set the key
              </Button>
            )}
            {actionPoint !== null && <Button onClick={() => onOpenPoint(actionPoint)}>Record the action name</Button>}
            <Button variant="quiet" onClick={() => actions.dismiss(tab.id)}>
              Close
            </Button>
          </WarningLine>
        )}
        <Unresolved
          filled={prepared.filled}
          takers={props.variableView.variables.takers(tab)}
          onOpen={(path) => startWork(actions.openFile(tab.file?.collectionId ?? '', path))}
        />
        <NotKept keeper={props.keeper} tabId={tab.id} />
        <FileNotice store={store} tab={tab} readOnly={readOnly} />
        {environment === null ? null : (
          <RequestNotes
            environment={environment}
            environments={props.environments}
            origin={tab.origin}
            production={props.production}
            onSwitch={props.onSwitchEnvironment}
            onAdopt={() => actions.adopt(tab.id)}
            onAsk={props.onAskAgain}
          />
        )}
        {tab.sending.state === 'sending' ? null : <OtherEnvironment call={tab.call} environment={environment} />}
        {run === null ? null : <RunNote run={run} onForget={() => actions.forgetRun(tab.id)} />}
      </div>
      <div className="grow">
        {inTurns ? (
          <RequestTurns turn={turn} onTurn={setTurn} parts={parts} />
        ) : (
          <RequestSplits
            stacked={stacked}
            wholeHash={layout.hashPane && subject.kind !== 'unsigned'}
            shares={layout}
            onShare={actions.setShare}
            parts={parts}
          />
        )}
      </div>
      <ConfirmSend
        question={tab.sending.state === 'unconfirmed' ? tab.sending.question : null}
        onConfirm={(confirmed) => startWork(actions.confirmSend(tab.id, confirmed))}
        onClose={() => actions.dismiss(tab.id)}
      />
      <ConfirmKey
        question={tab.sending.state === 'keyAsked' ? tab.sending.question : null}
        onConfirm={() => startWork(actions.confirmKey(tab.id))}
        onClose={() => actions.dismiss(tab.id)}
      />
    </>
  );
}

/** The response pane. Typing changes nothing of it, so it is not drawn again for that. */
const ResponseSlot = memo(
  ({ tab, render }: { readonly tab: RequestTab; readonly render: (tab: RequestTab) => ReactNode }) => render(tab),
  (before, after) =>
    before.render === after.render &&
    before.tab.id === after.tab.id &&
    before.tab.file?.gone === after.tab.file?.gone &&
    before.tab.call === after.tab.call &&
    before.tab.callId === after.tab.callId &&
    before.tab.sending === after.tab.sending,
);

/** Drops the editor's models of tabs that cannot come back. */
function useModels(store: RequestStore): void {
  const { monaco } = useMonaco();
  const ids = useStore(
    store,
    useShallow((state) => [...state.tabs, ...state.closed].map((tab) => tab.id)),
  );
  useEffect(() => {
    if (monaco !== null) keepModels(monaco, ids);
  }, [monaco, ids]);
}

/** Number of variables that are listed: nobody reads more before the first is corrected. */
const SHOWN = 3;

interface UnresolvedProps {
  readonly filled: RequestSubstitution | null;
  /** Finds the requests that take a variable; undefined if they are not known. */
  readonly takers: Takers | undefined;
  /** Opens one of these, a path of the request's collection. */
  readonly onOpen: (path: string) => void;
}

/** The variables that have no value, each with its position, and the requests that take them; nothing is sent until they have one. */
function Unresolved({ filled, takers, onOpen }: UnresolvedProps) {
  if (filled === null || filled.ok || filled.errors.length === 0) return null;
  const { errors } = filled;
  const missing = errors.slice(0, SHOWN).flatMap((error) => error.missing ?? []);
  const openable = [...new Set(missing.flatMap((name) => takers?.(name) ?? []))].slice(0, SHOWN);
  return (
    <WarningLine said="status" label="Variables without a value">
      <div className="grow">
        {errors.slice(0, SHOWN).map(({ field, line, column, message, start }) => (
          <p key={`${field} ${start}`}>
            <span className="quiet">
              {field === '/data' ? 'Data' : field.slice(1)}, line {line}, column {column}:
            </span>{' '}
            {message}
          </p>
        ))}
        {errors.length > SHOWN ? <p>And {(errors.length - SHOWN).toLocaleString('en')} more.</p> : null}
      </div>
      {openable.map((path) => (
        <Button key={path} icon={<FileInput />} title={path} onClick={() => onOpen(path)}>
          Open {fileTitle(path)}
        </Button>
      ))}
    </WarningLine>
  );
}
