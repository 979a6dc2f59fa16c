import { use, useMemo } from 'react';
import { Archive, ChevronDown, PackageOpen, X } from 'lucide-react';
import { useStore } from 'zustand';
import type { CallOrigin, CallSummary, ListedPack } from '#shared/ipc/index.ts';
import { packEnvironment } from '#shared/model/pack-environment.ts';
import { operationNames, operationTitle, providerCodes, type OperationName } from '#shared/provider/index.ts';
import { shortName, sinceCall, type KnownEnvironments } from '#shared/calls/environment-words.ts';
import { EnvironmentsContext } from '#renderer/calls/environment-name.tsx';
import { startWork } from '#renderer/faults/faults.ts';
import { useToday } from '#renderer/ui/day.ts';
import { Button } from '#renderer/ui/button.tsx';
import { classNames } from '#renderer/ui/class-names.ts';
import { Checkbox } from '#renderer/ui/checkbox.tsx';
import { IconButton } from '#renderer/ui/icon-button.tsx';
import { Menu, type MenuItem } from '#renderer/ui/menu.tsx';
import { Said } from '#renderer/ui/announced.tsx';
import { SearchField } from '#renderer/ui/search-field.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import { optionsOf } from '#renderer/ui/options.ts';
import type { Grouping } from './call-groups.ts';
import type { OutcomeChoice, TimeRange } from './history-choice.ts';
import type { HistoryList } from './call-pages.ts';
import type { HistoryStore } from './history-store.ts';
import { countText } from './history-words.ts';
import { packFacts } from './pack-line.tsx';
import { TickedCalls } from './ticked-calls.tsx';
import styles from './history-bar.module.css';

const times: readonly { value: TimeRange; label: string }[] = [
  { value: 'all', label: 'Any time' },
  { value: 'today', label: 'Today' },
  { value: 'yesterday', label: 'Yesterday' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: 'days', label: 'Date range' },
];

const senders = optionsOf<CallOrigin | 'any'>({
  any: 'Any sender',
  croupier: 'From Croupier',
  backend: 'From my backend',
  provider: 'From the provider',
});

const dayEnds = [
  { end: 'from', label: 'First day' },
  { end: 'to', label: 'Last day' },
] as const;

const groupings = optionsOf<Grouping>({ session: 'Day and session', day: 'Day', none: 'None' });

const anyOperation = { value: 'any', label: 'Any operation' };
const operations: readonly { value: string; label: string }[] = [
  anyOperation,
  ...operationNames.map((name) => ({ value: name, label: operationTitle(name) })),
];

const noCalls: readonly CallSummary[] = [];

/** Narrows the history: search, operation, environment, outcome, time and marks, and the number of calls that are left. */
export function HistoryBar({
  store,
  packs,
  logShown,
  onToggleLog,
  onCompare,
  onUnticked,
  onOpenPack,
  onLimits,
}: {
  store: HistoryStore;
  /** The support packs that are open. */
  packs: readonly ListedPack[];
  logShown: boolean;
  onToggleLog: () => void;
  onCompare: (calls: readonly CallSummary[]) => void;
  /** Called before the ticks go, with the focus on them. */
  onUnticked: () => void;
  /** Asks for the file of a support pack. */
  onOpenPack: () => void;
  /** The limits of what is kept, and the way to change them; null until they are known. */
  onLimits: { readonly now: string; readonly change: () => void } | null;
}) {
  const { list, text, narrowed, choice, grouping, setText, setChoice, setGrouping, showPack, stopSearch } = useStore(store);
  const today = useToday();
  const pack = packs.find(({ id }) => id === choice.pack);
  const isGoing = list.state === 'ready' && list.search?.going === true;
  const calls = list.state === 'ready' ? list.calls : noCalls;
  const outcomes = useMemo(() => outcomesOf(calls, choice.outcome), [calls, choice.outcome]);
  const known = use(EnvironmentsContext);
  const places = useMemo(
    () => (pack === undefined ? placesOf(known, calls, choice.environmentId) : placesIn(pack)),
    [known, calls, choice.environmentId, pack],
  );
  const count = list.state === 'ready' ? numberText(list, narrowed) : '';
  return (
    <search className={styles.bar} aria-label="Calls">
      <h1>History</h1>
      {packs.length === 0 ? null : (
        <Select
          aria-label="Whose calls"
          fit
          options={[
            { value: '', label: 'Your calls' },
            ...packs.map((one) => ({ value: one.id, label: packLabel(one, one.id === choice.pack, today), whole: one.name })),
          ]}
          value={choice.pack ?? ''}
          onChange={(value) => startWork(showPack(value === '' ? null : value))}
        />
      )}
      <SearchField
        label="Search calls"
        value={text}
        onText={setText}
        className={classNames('search-box', styles.search)}
        stop={isGoing ? stopSearch : null}
      />
      <Select
        aria-label="Operation"
        fit
        options={operations}
        value={choice.operation ?? 'any'}
        onChange={(value) => setChoice({ operation: value === 'any' ? null : (value as OperationName) })}
      />
      <Select
        aria-label="Environment"
        fit
        options={places}
        value={choice.environmentId ?? ''}
        onChange={(value) => setChoice({ environmentId: value === '' ? null : value })}
      />
      <Select
        aria-label="Response"
        fit
        options={outcomes}
        value={choice.outcome}
        onChange={(outcome) => setChoice({ outcome })}
      />
      {/* Few have passed anything. */}
      {choice.origin !== null || calls.some(({ origin }) => origin !== undefined) ? (
        <Select
          aria-label="Sender"
          fit
          options={senders}
          value={choice.origin ?? 'any'}
          onChange={(value) => setChoice({ origin: value === 'any' ? null : value })}
        />
      ) : null}
      <Select aria-label="Time" fit options={times} value={choice.time} onChange={(time) => setChoice({ time })} />
      {choice.time !== 'days'
        ? null
        : dayEnds.map(({ end, label }) => (
            <TextField
              key={end}
              type="date"
              aria-label={label}
              className={styles.day}
              value={choice.days[end]}
              onText={(day) => setChoice({ days: { ...choice.days, [end]: day } })}
            />
          ))}
      {choice.pack === null ? (
        <Checkbox checked={choice.pinnedOnly} onChange={(pinnedOnly) => setChoice({ pinnedOnly })}>
          Pinned
        </Checkbox>
      ) : null}
      <TickedCalls store={store} onCompare={onCompare} onGone={onUnticked} />
      {choice.collectionRun === null ? null : (
        <span className={styles.run}>
          <span className="short" title={choice.collectionRun.title}>
            Run of {choice.collectionRun.title}
          </span>
          <IconButton small label="Show all runs" icon={<X />} onClick={() => setChoice({ collectionRun: null })} />
        </span>
      )}
      <output aria-live="off" className="quiet small numbers one-line at-end">
        {count}
      </output>
      <Said text={count} topic="history" />
      <Button variant="quiet" command="providerLog" aria-pressed={logShown} onClick={onToggleLog}>
        Provider&apos;s log
      </Button>
      <Menu
        align="end"
        trigger={
          <Button variant="quiet" data-open-pack>
            <span className="line-tight">
              View <ChevronDown />
            </span>
          </Button>
        }
        items={[
          { heading: 'Group by' },
          ...groupings
            .filter(({ value }) => choice.pack === null || value !== 'session')
            .map(({ value, label }): MenuItem => {
              return {
                id: value,
                label,
                checked: value === (choice.pack !== null && grouping === 'session' ? 'day' : grouping),
                onSelect: () => setGrouping(value),
              };
            }),
          'separator',
          ...(onLimits === null
            ? []
            : [{ id: 'limits', label: `${onLimits.now}…`, icon: <Archive />, onSelect: onLimits.change }]),
          { label: 'Open support pack…', icon: <PackageOpen />, command: 'openPack', onSelect: onOpenPack },
        ]}
      />
    </search>
  );
}

/** Returns the number of calls; that nothing was found is said only at the end of a search. */
function numberText({ total, totalIsExact, search }: HistoryList & { state: 'ready' }, narrowed: boolean): string {
  return search !== null && total === 0 ? `none found${search.going ? ' yet' : ''}` : countText(total, totalIsExact, narrowed);
}

/** Returns the outcomes to choose. The spec's list of codes is not complete: those of the calls in sight are offered, too. */
function outcomesOf(calls: readonly CallSummary[], chosen: OutcomeChoice) {
  const codes = new Set(providerCodes.map(({ code }) => code).filter((code) => code !== 0));
  for (const { code } of calls) if (code !== null && code !== 0) codes.add(code);
  const values = [...codes].toSorted((a, b) => a - b).map((code): OutcomeChoice => `code ${code}`);
  if (chosen.startsWith('code ') && !values.includes(chosen)) values.push(chosen);
  const options: { value: OutcomeChoice; label: string }[] = [
    { value: 'any', label: 'Any response' },
    { value: 'accepted', label: 'Accepted, code 0' },
    { value: 'refused', label: 'Rejected, any code' },
    ...values.map((value) => ({ value, label: `Rejected, ${value}` })),
    { value: 'uncoded', label: 'No code' },
    { value: 'unanswered', label: 'No response' },
    { value: 'pending', label: 'Waiting' },
  ];
  return options;
}

/** Returns the environments of a support pack. */
function placesIn({ environments }: ListedPack) {
  return [
    { value: '', label: 'Any environment' },
    ...environments.map((name) => ({ value: packEnvironment(name), label: shortName(name, environments), whole: name })),
  ];
}

/** Returns the name of a pack for the list; of one that could be chosen, its facts, too. */
function packLabel(pack: ListedPack, chosen: boolean, now: number): string {
  const name = shortFile(pack.name);
  return chosen ? name : `${name}: ${packFacts(pack, now)}`;
}

/** Returns a file's name for a narrow list: its beginning and its end. */
function shortFile(name: string): string {
  const letters = Array.from(name);
  return letters.length <= 22 ? name : `${letters.slice(0, 9).join('')}…${letters.slice(-12).join('')}`;
}

/** Returns all environments, and a removed one as long as it is chosen or its calls are in sight. */
function placesOf(known: KnownEnvironments | null, calls: readonly CallSummary[], chosen: string | null) {
  const names = new Map(known?.environments.map(({ id, name }) => [id, name]));
  for (const call of calls) {
    if (names.has(call.environmentId)) continue;
    names.set(call.environmentId, `${call.environmentName}${known === null ? '' : sinceCall(call, known)}`);
  }
  if (chosen !== null && !names.has(chosen)) names.set(chosen, 'Removed environment');
  const all = [...names.values()];
  return [
    { value: '', label: 'Any environment' },
    ...[...names].map(([value, name]) => ({ value, label: shortName(name, all), whole: name })),
  ];
}
