import { useState } from 'react';
import { Popover } from 'radix-ui';
import { SlidersHorizontal } from 'lucide-react';
import type { Environment } from '#shared/model/environment.ts';
import type { Overrides } from '#shared/model/draft.ts';
import { routeOf, timeOrderOf, type Operation } from '#shared/provider/index.ts';
import { formatTime } from '#shared/signing/time.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Checkbox } from '#renderer/ui/checkbox.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { SegmentedChoice } from '#renderer/ui/segmented-choice.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import { optionsOf } from '#renderer/ui/options.ts';
import styles from './overrides-panel.module.css';

const DAY_MS = 86_400_000;

interface OverridesPanelProps {
  readonly operation: Operation;
  readonly environment: Environment;
  readonly overrides: Overrides;
  readonly count: number;
  readonly now: () => number;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onChange: <K extends keyof Overrides>(name: K, value: Overrides[K]) => void;
  readonly onClear: () => void;
}

/** The button and the panel for deliberate faults: negative tests are work, too. */
export function OverridesPanel(props: OverridesPanelProps) {
  const { operation, environment, count, open, onOpenChange, onClear } = props;
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange}>
      <Popover.Trigger asChild>
        <Button icon={<SlidersHorizontal />}>{count === 0 ? 'Overrides' : `Overrides ${count}`}</Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className={styles.panel} align="end" sideOffset={6} collisionPadding={12} aria-label="Overrides">
          <div className={styles.head}>
            <h2>Deliberate faults</h2>
            <p>For negative tests. They stay in this tab until you clear them.</p>
          </div>
          {routeOf(operation, environment.answers)?.signed === false ? (
            <p className={styles.none}>
              {operation.endpoint === 'wallet' ? 'Wallet methods take' : 'According to the recorded answer, this path takes'}{' '}
              plain JSON, without hash, time or platform. Change or leave out fields in the form.
            </p>
          ) : (
            <Faults {...props} />
          )}
          <div className={styles.foot}>
            <Button variant="quiet" disabled={count === 0} onClick={onClear}>
              Clear all
            </Button>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Faults({ operation, environment, overrides, now, onChange }: OverridesPanelProps) {
  const { hash, time, platform, partnerId, omit = [] } = overrides;
  const [ownHash, setOwnHash] = useState(hash !== undefined && hash !== 'wrong');
  const order = timeOrderOf(operation, environment.answers);
  const other = order === 'dmy' ? 'ymd' : 'dmy';
  const names = [
    'action',
    'platform',
    'partnerId',
    'time',
    ...(operation.payload === 'data' ? (['data'] as const) : []),
    'hash',
  ] as const;
  const times = [
    { label: '1 day ago', text: () => formatTime(now() - DAY_MS, environment.timeZone, order) },
    { label: '1 day ahead', text: () => formatTime(now() + DAY_MS, environment.timeZone, order) },
    { label: other === 'ymd' ? 'Year first' : 'Day first', text: () => formatTime(now(), environment.timeZone, other) },
    { label: 'This second', text: () => formatTime(now(), environment.timeZone, order) },
  ];
  return (
    <div className={styles.fields}>
      <Field label="hash" code group hint={hash === 'wrong' ? 'One digit of the hash is changed before sending.' : undefined}>
        <SegmentedChoice
          label="hash"
          options={optionsOf({ right: 'As computed', wrong: 'Wrong digit', own: 'Custom' })}
          value={ownHash ? 'own' : hash === 'wrong' ? 'wrong' : 'right'}
          onChange={(choice) => {
            setOwnHash(choice === 'own');
            onChange('hash', choice === 'right' ? undefined : choice === 'wrong' ? 'wrong' : '');
          }}
        />
        {ownHash && (
          <div>
            <TextField
              code
              aria-label="Custom hash"
              value={hash ?? ''}
              placeholder="sent as typed"
              onText={(text) => onChange('hash', text)}
            />
          </div>
        )}
      </Field>
      <Field label="time" code hint="Sent and hashed as typed.">
        <TextField
          code
          value={time ?? ''}
          placeholder="time of sending"
          onText={(text) => onChange('time', text === '' ? undefined : text)}
        />
        <span className={styles.chips}>
          {times.map((choice) => (
            <button key={choice.label} type="button" className="link tiny" onClick={() => onChange('time', choice.text())}>
              {choice.label}
            </button>
          ))}
        </span>
      </Field>
      <NumberFault name="platform" value={platform} usual={environment.platform} onChange={onChange} />
      <NumberFault name="partnerId" value={partnerId} usual={environment.partnerId} onChange={onChange} />
      <Field label="Leave out" group>
        <div className="halves">
          {names.map((name) => (
            <Checkbox
              key={name}
              checked={omit.includes(name)}
              onChange={(on) => onChange('omit', on ? [...omit, name] : omit.filter((left) => left !== name))}
            >
              <span className="code">{name}</span>
            </Checkbox>
          ))}
        </div>
      </Field>
    </div>
  );
}

function NumberFault(props: {
  readonly name: 'platform' | 'partnerId';
  readonly value: string | undefined;
  readonly usual: number;
  readonly onChange: OverridesPanelProps['onChange'];
}) {
  const { name, value, usual, onChange } = props;
  return (
    <Field label={name} code hint="A number, or a string in double quotes.">
      <TextField
        code
        value={value ?? ''}
        placeholder={String(usual)}
        onText={(text) => onChange(name, text === '' ? undefined : text)}
      />
      <span className={styles.chips}>
        <button type="button" className="link tiny" onClick={() => onChange(name, String(usual + 1))}>
          Off by one: {usual + 1}
        </button>
        <button type="button" className="link tiny" onClick={() => onChange(name, JSON.stringify(String(usual)))}>
          As a string: {JSON.stringify(String(usual))}
        </button>
      </span>
    </Field>
  );
}
