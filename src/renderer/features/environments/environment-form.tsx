import { useState, type ReactNode, type Ref } from 'react';
import { useStore } from 'zustand';
import { Trash } from 'lucide-react';
import { RadioGroup } from 'radix-ui';
import { sharingWords } from '#shared/calls/environment-words.ts';
import type { Environment, EnvironmentColor, Serialization } from '#shared/ipc/index.ts';
import { environmentColors } from '#shared/model/default-environment.ts';
import { pemOfFile } from '#shared/json/file-text.ts';
import { answerOf, serializationOf } from '#shared/provider/index.ts';
import { formatTime } from '#shared/signing/time.ts';
import { base64, bytesOfFile } from '#renderer/api/bytes.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';
import { Button } from '#renderer/ui/button.tsx';
import { Field } from '#renderer/ui/field.tsx';
import { FileButton } from '#renderer/ui/file-button.tsx';
import { SegmentedChoice } from '#renderer/ui/segmented-choice.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { TextArea } from '#renderer/ui/text-area.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import { useDroppedFiles } from '#renderer/ui/use-dropped-files.ts';
import { useNow } from '#renderer/ui/use-now.ts';
import { optionsOf } from '#renderer/ui/options.ts';
import { ClientCertificateField, PrivateHostsField, ProxyLoginField, TokenCommandField } from './apart-fields.tsx';
import { suggestedName, type EditedEnvironment, type FieldErrors } from './environment-draft.ts';
import type { EnvironmentsStore } from './environments-store.ts';
import styles from './environment-form.module.css';

const serializations = optionsOf<Serialization>({
  php: 'php: non-ASCII as \\uXXXX',
  'php-unicode': 'php-unicode: non-ASCII unchanged',
  verbatim: 'verbatim: as typed',
});

const proxyOptions = optionsOf<'system' | 'none' | 'address'>({ system: 'From the system', none: 'None', address: 'Address' });

const proxyHints = {
  system: "The proxy that environment variables or this computer's settings name, if any.",
  none: 'Calls go directly to the provider.',
  address: 'Every call goes through this proxy.',
} as const;

const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** Every field of an environment, in groups. What the built-in provider sets by itself is locked in its environment. */
export function EnvironmentForm({
  store,
  id,
  environments,
  saved,
  edited,
  errors,
  keyField,
}: {
  store: EnvironmentsStore;
  id: string;
  environments: readonly Environment[];
  /** Null for an environment that is not made yet. */
  saved: Environment | null;
  edited: EditedEnvironment;
  errors: FieldErrors;
  keyField: ReactNode;
}) {
  const authorityWanted = useStore(store, (state) => state.authorityWanted === id);
  const managed = saved?.kind === 'sandbox';
  const answers = saved?.answers ?? {};
  const onChange = (change: Partial<EditedEnvironment>) => store.getState().change(id, change);
  const apart = saved === null ? null : { store, environment: saved };
  // Environments of which each can be the one of the same provider.
  const providers = environments.filter((one) => one.id !== id && one.kind === 'provider' && one.sameProviderAs === undefined);
  /** Brings the keyboard to a field that another screen led to. */
  function takeKeyboard(field: HTMLTextAreaElement | null): void {
    if (field === null) return;
    field.scrollIntoView({ block: 'center' });
    field.focus();
    store.setState({ authorityWanted: null });
  }
  const recordedZone = answerOf('time.zone', answers);
  const inUse = serializationOf({ serialization: edited.serialization, answers });
  const proxyChoice = edited.proxy === 'system' || edited.proxy === 'none' ? edited.proxy : 'address';
  const suggested = suggestedName(edited.baseUrl);
  const text = (name: 'name' | 'baseUrl' | 'walletUrl' | 'platform' | 'partnerId' | 'maxResponseBytes') => ({
    value: edited[name],
    onText: (value: string) => onChange({ [name]: value }),
  });
  const standard = (
    name: keyof EditedEnvironment['defaults'],
    label: string,
    { note, placeholder }: { note?: string; placeholder?: string } = {},
  ) => (
    <Field label={label} note={note} error={errors[`defaults.${name}`]}>
      <TextField
        code
        placeholder={placeholder}
        value={edited.defaults[name]}
        onText={(value) => onChange({ defaults: { ...edited.defaults, [name]: value } })}
      />
    </Field>
  );
  const limit = (name: keyof EditedEnvironment['timeouts'], label: string) => (
    <Field label={label} error={errors[`timeouts.${name}`]}>
      <TextField
        value={edited.timeouts[name]}
        inputMode="numeric"
        suffix="ms"
        onText={(value) => onChange({ timeouts: { ...edited.timeouts, [name]: value } })}
      />
    </Field>
  );
  const launches = (name: keyof EditedEnvironment['launchRules']) => ({
    value: edited.launchRules[name],
    onText: (value: string) => onChange({ launchRules: { ...edited.launchRules, [name]: value } }),
  });

  return (
    <>
      <Group>
        <Field
          label="Name"
          error={errors['name']}
          hint={suggested === '' || edited.name !== '' ? undefined : "Leave empty to use the base URL's host."}
        >
          <TextField {...text('name')} placeholder={suggested || 'staging'} />
        </Field>
        <Field label="Colour" group>
          <ColorChoice value={edited.color} onChange={(color) => onChange({ color })} />
        </Field>
      </Group>

      <Group title="URLs">
        <Field label="Base URL" error={errors['baseUrl']} hint="Without /serviceApi.php.">
          <TextField {...text('baseUrl')} code placeholder="https://api.provider.example" disabled={managed} />
        </Field>
        <Field label="Wallet URL" error={errors['walletUrl']} hint="Leave empty to use the base URL.">
          <TextField
            {...text('walletUrl')}
            code
            placeholder={edited.baseUrl || 'https://wallet.operator.example'}
            disabled={managed}
          />
        </Field>
      </Group>

      <Group title="Platform and partner">
        <div className={styles.pair}>
          <Field label="Platform" error={errors['platform']}>
            <TextField {...text('platform')} code inputMode="numeric" placeholder="1" disabled={managed} />
          </Field>
          <Field label="Partner ID" error={errors['partnerId']}>
            <TextField {...text('partnerId')} code inputMode="numeric" placeholder="42" disabled={managed} />
          </Field>
        </div>
        {managed || (providers.length === 0 && edited.sameProviderAs === '') ? null : (
          <Field
            label="Same provider as"
            error={errors['sameProviderAs']}
            hint={
              edited.sameProviderAs === ''
                ? 'Choose another environment to share its recorded answers.'
                : 'Shares its recorded answers: reads them there and records them there.'
            }
          >
            <Select
              options={providerOptions(
                providers,
                edited.sameProviderAs,
                (sameProviderAs) => sharingWords({ id, sameProviderAs }, environments).words,
              )}
              value={edited.sameProviderAs}
              onChange={(sameProviderAs) => onChange({ sameProviderAs })}
            />
          </Field>
        )}
        <Field
          label="Production"
          hint="Asks once per session to read, and before each call that grants free rounds or moves money."
          error={errors['production']}
        >
          <SegmentedChoice
            label="Production"
            options={productionOptions}
            value={edited.production === null ? null : edited.production ? 'yes' : 'no'}
            onChange={(choice) => onChange({ production: choice === 'yes' })}
          />
        </Field>
        {keyField}
      </Group>

      <Group title="Signing">
        <Field
          label="Serialization"
          warning={
            inUse === edited.serialization
              ? undefined
              : `The recorded answer to "Non-ASCII text in the hash" overrides this: ${inUse}.`
          }
          error={errors['serialization']}
        >
          <Select
            options={serializations}
            value={edited.serialization}
            onChange={(serialization) => onChange({ serialization })}
          />
        </Field>
        <Field
          label="Time zone"
          error={errors['timeZone']}
          hint={<TimeSample timeZone={edited.timeZone} />}
          warning={
            recordedZone === null || recordedZone === edited.timeZone
              ? undefined
              : `The recorded answer to "Time zone" is ${recordedZone}.`
          }
        >
          <Select
            options={zoneOptions(edited.timeZone)}
            value={edited.timeZone}
            onChange={(timeZone) => onChange({ timeZone })}
          />
        </Field>
      </Group>

      <Group title="Defaults" note="For new requests.">
        <div className={styles.pair}>
          {standard('currency', 'Currency')}
          {standard('playerId', 'Player ID')}
          {standard('lang', 'Language')}
          {standard('country', 'Country')}
        </div>
        {standard('ip', 'Player IP')}
        {standard('exitURL', 'Exit URL', { note: 'optional', placeholder: 'https://casino.example/lobby' })}
      </Group>

      <Group title="Limits" note="Croupier stops a call at these limits and records it.">
        <div className={styles.pair}>
          {limit('connect', 'To connect')}
          {limit('headers', 'To first byte')}
          {limit('idle', 'Between bytes')}
          {limit('total', 'Total')}
        </div>
        <Field label="Largest response" error={errors['maxResponseBytes']} hint="After decompression.">
          <TextField {...text('maxResponseBytes')} inputMode="numeric" suffix="bytes" />
        </Field>
      </Group>

      <Group title="Launches">
        <div className={styles.pair}>
          <Field
            label="Ready within"
            error={errors['launchRules.readyWithin']}
            hint="The launch fails if the game isn't ready by then."
          >
            <TextField {...launches('readyWithin')} inputMode="numeric" suffix="s" />
          </Field>
          <Field label="Slow after" error={errors['launchRules.slowAfter']} hint='Slower launches get the verdict "to check".'>
            <TextField {...launches('slowAfter')} inputMode="numeric" suffix="s" />
          </Field>
        </div>
        <Field
          label="Ignored entries"
          note="one per line"
          error={errors['launchRules.noise']}
          hint="Record entries that contain one of these texts are ignored."
        >
          <TextArea code rows={3} {...launches('noise')} placeholder="telemetry.example" />
        </Field>
        <Field
          label="Ready signs"
          note="one per line"
          error={errors['launchRules.readySigns']}
          hint='A game is ready when the first one appears. If you set none, a drawn game is "to check".'
        >
          <TextArea code rows={2} {...launches('readySigns')} placeholder="selector: #spin" />
        </Field>
        <Field
          label="Error texts"
          note="one per line"
          error={errors['launchRules.errorTexts']}
          hint="The launch fails if the game shows one. Common ones are included."
        >
          <TextArea code rows={2} {...launches('errorTexts')} placeholder="Table closed" />
        </Field>
      </Group>

      {apart === null ? null : (
        <Group title="Session tokens" note="From a program that runs when a launch starts.">
          <TokenCommandField {...apart} />
        </Group>
      )}

      <Group
        title="Certificates"
        note="The provider's, if it is not publicly trusted, and your own, if the provider asks for one."
      >
        <AuthorityField
          ca={edited.ca}
          error={errors['ca']}
          disabled={managed}
          field={authorityWanted ? takeKeyboard : undefined}
          onCa={(ca) => onChange({ ca })}
        />
        {apart === null || managed ? null : <ClientCertificateField {...apart} />}
      </Group>

      {managed ? null : (
        <Group title="Proxy" note="For calls, pictures and games of this environment.">
          <Field label="Proxy" hint={proxyHints[proxyChoice]}>
            <SegmentedChoice
              label="Proxy"
              options={proxyOptions}
              value={proxyChoice}
              onChange={(choice) => onChange({ proxy: choice === 'address' ? '' : choice })}
            />
          </Field>
          {proxyChoice !== 'address' ? null : (
            <Field label="Address" error={errors['proxy']}>
              <TextField
                code
                placeholder="http://proxy.example:8080"
                value={edited.proxy}
                onText={(proxy) => onChange({ proxy })}
              />
            </Field>
          )}
          {apart === null ? null : <ProxyLoginField {...apart} />}
        </Group>
      )}

      {apart === null ? null : (
        <Group title="Private addresses" note="For a provider that you reach through a VPN.">
          <PrivateHostsField {...apart} />
        </Group>
      )}

      {saved === null ? null : (
        <Group title="Danger">
          <Field label="Remove" group hint="You can undo this. Recorded calls stay in the history.">
            <Button variant="danger" icon={<Trash />} onClick={() => startWork(store.getState().remove(id))}>
              Remove environment
            </Button>
          </Field>
        </Group>
      )}
    </>
  );
}

/** Takes an authority as PEM, or from a file, which may be in binary form. */
function AuthorityField(props: {
  readonly ca: string;
  readonly error: string | undefined;
  readonly disabled: boolean;
  readonly field: Ref<HTMLTextAreaElement> | undefined;
  readonly onCa: (ca: string) => void;
}) {
  const { ca, error, disabled, field, onCa } = props;
  const [problem, setProblem] = useState<string | null>(null);
  function take(text: string): void {
    setProblem(null);
    onCa(text);
  }
  async function takeFile(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    try {
      take(pemOfFile(await bytesOfFile(file, file.name), file.name, base64).text);
    } catch (thrown) {
      setProblem(asAppError(thrown).message);
    }
  }
  const { handlers } = useDroppedFiles(([file]) => disabled || startWork(takeFile(file)));
  return (
    <div {...handlers}>
      <Field label="CA certificate" note="PEM" error={problem ?? error}>
        <div className={styles.authority}>
          <TextArea
            ref={field}
            code
            rows={ca === '' ? 3 : 6}
            value={ca}
            disabled={disabled}
            placeholder="-----BEGIN CERTIFICATE-----"
            onText={take}
          />
          <FileButton
            label="Certificate file"
            accept=".pem,.crt,.cer,.der,.p7b,.p7c"
            disabled={disabled}
            onFile={(file) => startWork(takeFile(file))}
          />
        </div>
      </Field>
    </div>
  );
}

const productionOptions = optionsOf({ no: 'Not production', yes: 'Production: real money' });

/** Returns none, the environments, and the chosen one if it cannot be it. */
function providerOptions(
  providers: readonly Pick<Environment, 'id' | 'name'>[],
  chosen: string,
  otherwise: (chosen: string) => string,
): readonly { value: string; label: string }[] {
  const other = chosen !== '' && !providers.some(({ id }) => id === chosen);
  return [
    { value: '', label: 'None' },
    ...providers.map(({ id, name }) => ({ value: id, label: name })),
    ...(other ? [{ value: chosen, label: otherwise(chosen) }] : []),
  ];
}

/** Returns the known zones, and the one of the file if it is not among them. */
function zoneOptions(current: string): readonly { value: string; label: string }[] {
  const zones = timeZones.includes(current) ? timeZones : [current, ...timeZones];
  return zones.map((zone) => ({ value: zone, label: zone }));
}

function Group({ title, note, children }: { title?: string; note?: string; children: ReactNode }) {
  return (
    <section className={styles.group}>
      {title === undefined ? null : (
        <h2>
          {title}
          {note === undefined ? null : <small>{note}</small>}
        </h2>
      )}
      <div className="stack">{children}</div>
    </section>
  );
}

function ColorChoice({ value, onChange }: { value: EnvironmentColor; onChange: (color: EnvironmentColor) => void }) {
  return (
    <RadioGroup.Root
      className={styles.colors}
      orientation="horizontal"
      aria-label="Colour"
      value={value}
      onValueChange={(next) => {
        const color = environmentColors.find((one) => one === next);
        if (color !== undefined) onChange(color);
      }}
    >
      {environmentColors.map((color) => (
        <RadioGroup.Item
          key={color}
          value={color}
          aria-label={color}
          title={color}
          data-own-colors
          className={styles.color ?? ''}
          style={{ ['--mark' as string]: `var(--mark-${color})` }}
        />
      ))}
    </RadioGroup.Root>
  );
}

function TimeSample({ timeZone }: { timeZone: string }) {
  const sample = timeIn(useNow(Date.now, 1_000), timeZone);
  if (sample === null) return <>Unknown time zone. Use a name such as Europe/Malta.</>;
  return (
    <>
      Now <code>{sample}</code>
    </>
  );
}

function timeIn(now: number, timeZone: string): string | null {
  try {
    return formatTime(now, timeZone, 'dmy');
  } catch {
    return null;
  }
}
