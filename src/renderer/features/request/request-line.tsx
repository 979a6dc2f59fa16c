import { memo, useId } from 'react';
import { useStore } from 'zustand';
import { Send, ShieldAlert, Square, X, Save } from 'lucide-react';
import type { Overrides } from '#shared/model/draft.ts';
import type { Environment } from '#shared/model/environment.ts';
import { likenessWords, type Likeness } from '#shared/production/likeness.ts';
import type { Operation } from '#shared/provider/index.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { EnvironmentName } from '#renderer/calls/environment-name.tsx';
import { Button } from '#renderer/ui/button.tsx';
import { Pill } from '#renderer/ui/pill.tsx';
import { Tooltip } from '#renderer/ui/tooltip.tsx';
import { overrideChips } from './override-chips.ts';
import { OverridesPanel } from './overrides-panel.tsx';
import type { SaveState } from './tabs/save-state.ts';
import type { RequestStore } from './tabs/request-store.ts';
import styles from './request-line.module.css';
import { announcer } from '#renderer/ui/announcer.ts';
import { classNames } from '#renderer/ui/class-names.ts';
import { useAriaKeys } from '#renderer/ui/command-keys.ts';

interface RequestLineProps {
  readonly store: RequestStore;
  readonly tabId: string;
  readonly operation: Operation;
  readonly environment: Environment | null;
  readonly url: string;
  readonly overrides: Overrides;
  /** False where the chips of the overrides would take the room of what is read: their number stays. */
  readonly showsChips: boolean;
  readonly sending: boolean;
  readonly saving: SaveState;
  /** The reason why the request cannot be sent; null if it can. */
  readonly readOnly: string | null;
  /** The production environment that the selected one may be; null for none. */
  readonly like: Likeness | null;
  /** Opens the selected environment, where the user can change this. */
  readonly onOpenEnvironment: () => void;
  readonly now: () => number;
}

/** Shows the URL of the request, the faults that are on, and the next action. */
export const RequestLine = memo(function RequestLine(props: RequestLineProps) {
  const { store, tabId, operation, environment, url, overrides, sending, saving, readOnly, like, now } = props;
  const likeId = useId();
  const overridesOpen = useStore(store, (state) => state.overridesOpen);
  const actions = store.getState();
  const chips = overrideChips(overrides);
  const base = url.endsWith(operation.path) ? url.slice(0, url.length - operation.path.length) : '';
  function restore(without: Overrides) {
    for (const name of ['hash', 'time', 'platform', 'partnerId', 'omit'] as const)
      actions.setOverride(tabId, name, without[name]);
  }
  return (
    <div className={styles.line}>
      <div className={styles.where}>
        <Pill tone="note" size="small">
          POST
        </Pill>
        {/* Text that can be selected and copied by keys; the environment holds what it is made of. */}
        <span
          role="textbox"
          aria-readonly="true"
          aria-label="Address, from the environment"
          tabIndex={-1}
          data-address
          className={styles.url}
          title={url}
          // Its two parts are drawn as boxes, between which a browser would copy a line break.
          onCopy={(event) => {
            event.preventDefault();
            event.clipboardData.setData('text/plain', String(getSelection()).replaceAll('\n', ''));
          }}
          onFocus={({ currentTarget }) => getSelection()?.selectAllChildren(currentTarget)}
          onKeyDown={({ key }) => {
            if (key === 'Enter') props.onOpenEnvironment();
          }}
        >
          <span className={styles.base}>{base}</span>
          <em>{url.slice(base.length)}</em>
        </span>
      </div>
      <div className={styles.actions}>
        {environment !== null && (
          <OverridesPanel
            operation={operation}
            environment={environment}
            overrides={overrides}
            count={chips.length}
            open={overridesOpen}
            onOpenChange={actions.setOverridesOpen}
            now={now}
            onChange={(name, value) => actions.setOverride(tabId, name, value)}
            onClear={() => actions.clearOverrides(tabId)}
          />
        )}
        <SaveButton saving={saving} onSave={() => actions.save(tabId)} />
        {like === null ? null : (
          <>
            <Tooltip content={`${likenessWords(like)}.`}>
              <button type="button" className={styles.like} aria-describedby={likeId} onClick={props.onOpenEnvironment}>
                <ShieldAlert />
                <span>
                  Like <EnvironmentName name={like.name} />
                </span>
              </button>
            </Tooltip>
            <span id={likeId} role="status" className="visually-hidden">{`${likenessWords(like)}.`}</span>
          </>
        )}
        {sending ? (
          <Button icon={<Square />} command="send" onClick={() => startWork(actions.cancel(tabId))}>
            Cancel
          </Button>
        ) : (
          <Button
            variant="primary"
            icon={<Send className={styles.sendIcon} />}
            command="send"
            data-send
            className={styles.send ?? ''}
            aria-describedby={like === null ? undefined : likeId}
            waits={
              environment === null ? 'Choose an environment first.' : readOnly === null ? null : 'The collection is read-only.'
            }
            onClick={() => environment !== null && startWork(actions.send(environment.id))}
          >
            {environment === null ? (
              'Send'
            ) : (
              // Not the button's own title, which a screen reader would say after the same name.
              <span className={styles.whole} title={`Send to ${environment.name}`}>
                Send to <EnvironmentName name={environment.name} />
              </span>
            )}
          </Button>
        )}
      </div>
      {props.showsChips && chips.length > 0 && (
        <ul className={styles.chips} aria-label="Active overrides">
          {chips.map((chip) => (
            <li key={chip.id} className={styles.chip}>
              {chip.label}
              <button type="button" aria-label={`Remove: ${chip.label}`} onClick={() => restore(chip.without)}>
                <X />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
});

/** Saves the request, and says whether it is saved. It keeps the keyboard while there is nothing to save, and says why it waits. */
function SaveButton({ saving, onSave }: { readonly saving: SaveState; readonly onSave: () => Promise<void> }) {
  const { state, words, title } = saving;
  const ariaKeys = useAriaKeys({ command: 'save' });
  const acts = state === 'new' || state === 'unsaved';
  return (
    <Tooltip content={title} command="save">
      <Button
        icon={<Save />}
        aria-keyshortcuts={ariaKeys}
        aria-disabled={!acts || undefined}
        className={classNames(styles.save, !acts && styles.idle)}
        onClick={() => {
          if (acts) startWork(onSave());
          else announcer.say(title);
        }}
      >
        Save{' '}
        <span
          className={classNames(
            styles.saveState,
            state !== 'new' && styles.ofFile,
            state === 'unsaved' && styles.unsaved,
            state === 'waits' && styles.waits,
          )}
        >
          {words}
        </span>
      </Button>
    </Tooltip>
  );
}
