import { useId, useState } from 'react';
import type { Environment } from '#shared/ipc/index.ts';
import type { Embedding, NetworkSpeed } from '#shared/model/device.ts';
import { isLanguage, isTimeZone } from '#shared/launches/devices.ts';
import { Field } from '#renderer/ui/field.tsx';
import { Select } from '#renderer/ui/select.tsx';
import { TextField } from '#renderer/ui/text-field.tsx';
import { optionsOf } from '#renderer/ui/options.ts';
import { usualOperator } from './embedding.ts';
import { fieldText } from '../tabs/launch-form.ts';
import { isOpen, type LaunchTab } from '../tabs/launch-tab.ts';
import type { LauncherStore } from '../tabs/launcher-store.ts';
import { ScreenList } from './screen-control.tsx';
import styles from './browser-settings.module.css';

const networks = optionsOf<NetworkSpeed>({ full: 'No throttling', 'fast 4G': 'Fast 4G', 'slow 4G': 'Slow 4G', '3G': '3G' });

const processors = optionsOf({ '1': 'No throttling', '2': '2 times slower', '4': '4 times slower', '6': '6 times slower' });

const places = optionsOf({ own: 'As its own page', framed: "In a frame on an operator's page" });

const cookieRules = optionsOf<Embedding['cookies']>({ allowed: 'Allowed, as in Chrome', refused: 'Refused, as in Safari' });

/** The devices of a launch and the browser that they have. A browser host can give a game a size, and nothing else. */
export function BrowserSettings({
  store,
  tab,
  environment,
  embeds,
}: {
  store: LauncherStore;
  tab: LaunchTab;
  environment: Environment;
  /** True if the host itself shows games. */
  embeds: boolean;
}) {
  const { browser } = tab;
  const changed = browser.lang !== '' || browser.timeZone !== '' || browser.network !== 'full' || browser.slowdown !== 1;
  const [open, setOpen] = useState(changed || tab.frame.framed);
  return (
    <>
      <Field label="Devices" layout="stack" group hint={embeds ? undefined : 'Size only in the browser.'}>
        <div className="column">
          <ScreenList store={store} tab={tab} />
        </div>
      </Field>
      {embeds ? (
        <details className={styles.more} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Browser and frame</summary>
          <div className="column">
            <BrowserFields store={store} tab={tab} />
            <FrameFields store={store} tab={tab} environment={environment} />
          </div>
        </details>
      ) : null}
    </>
  );
}

function BrowserFields({ store, tab }: { store: LauncherStore; tab: LaunchTab }) {
  const zones = useId();
  const actions = store.getState();
  const { lang, timeZone, network, slowdown } = tab.browser;
  const problems = {
    lang: lang === '' || isLanguage(lang) ? undefined : notLanguage,
    timeZone: timeZone === '' || isTimeZone(timeZone) ? undefined : notTimeZone,
  };
  return (
    <>
      <Field label="Browser language" layout="stack" error={problems.lang} hint={tab.slots.some(isOpen) ? next : undefined}>
        <TextField
          code
          value={lang}
          placeholder="this computer's"
          maxLength={35}
          onText={(text) => actions.setBrowser(tab.id, { lang: text.trim() })}
        />
      </Field>
      <Field label="Time zone" layout="stack" error={problems.timeZone} hint={tab.slots.some(isOpen) ? next : undefined}>
        <TextField
          code
          list={zones}
          value={timeZone}
          placeholder="this computer's"
          maxLength={60}
          onText={(text) => actions.setBrowser(tab.id, { timeZone: text.trim() })}
        />
        <datalist id={zones}>
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone}>
              {zone}
            </option>
          ))}
        </datalist>
      </Field>
      <Field label="Network" layout="stack">
        <Select options={networks} value={network} onChange={(value) => actions.setBrowser(tab.id, { network: value })} />
      </Field>
      <Field label="Processor" layout="stack">
        <Select
          options={processors}
          value={String(slowdown) as (typeof processors)[number]['value']}
          onChange={(value) => actions.setBrowser(tab.id, { slowdown: Number(value) })}
        />
      </Field>
    </>
  );
}

function FrameFields({ store, tab, environment }: { store: LauncherStore; tab: LaunchTab; environment: Environment }) {
  const actions = store.getState();
  const { framed, origin, cookies } = tab.frame;
  return (
    <>
      <Field
        label="Open"
        layout="stack"
        hint={framed && tab.screens.some(({ device }) => device !== null) ? notInFrames : undefined}
      >
        <Select
          options={places}
          value={framed ? 'framed' : 'own'}
          onChange={(value) => actions.setFrame(tab.id, { framed: value === 'framed' })}
        />
      </Field>
      {framed ? (
        <>
          <Field
            label="Operator's origin"
            layout="stack"
            hint="Croupier serves its own page at this origin and never contacts the site. The game's frame-ancestors must allow it."
          >
            <TextField
              code
              value={origin ?? ''}
              placeholder={usualOperator(fieldText(tab.typed, 'exitURL', environment))}
              maxLength={300}
              onText={(text) => actions.setFrame(tab.id, { origin: text === '' ? null : text })}
            />
          </Field>
          <Field label="Third-party cookies" layout="stack">
            <Select options={cookieRules} value={cookies} onChange={(value) => actions.setFrame(tab.id, { cookies: value })} />
          </Field>
        </>
      ) : null}
    </>
  );
}

const next = 'Applies when a game is opened again.';
const notInFrames = "A game in a frame has this computer's pixel ratio, screen and orientation.";
const notLanguage = 'Enter a language such as de or de-AT.';
const notTimeZone = 'Enter a time zone such as Europe/Vienna.';
