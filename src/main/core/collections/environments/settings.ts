import type { EnvironmentFile } from '#shared/collections/environment-file.ts';
import type { Environment, SharedDifference } from '#shared/ipc/index.ts';
import { defaultEnvironment } from '#shared/model/default-environment.ts';
import { fingerprintsOf } from '../environment-directory.ts';
import { storedSettings } from '../../environments/validate-environment.ts';

/** The settings of an environment that a collection can hold: everything but what is one machine's alone. */
export type SharedSettings = Pick<
  Environment,
  | 'baseUrl'
  | 'walletUrl'
  | 'platform'
  | 'partnerId'
  | 'production'
  | 'timeZone'
  | 'serialization'
  | 'ca'
  | 'launchRules'
  | 'answers'
> & {
  readonly defaults: Omit<Environment['defaults'], 'playerId'>;
  /** Name of the environment whose recorded answers it has; empty if it has its own. */
  readonly sameProviderAs: string;
};

/** The settings that a person is asked about again: they say where calls go, whom they trust, and what guards them. */
const asked: ReadonlySet<string> = new Set(['baseUrl', 'walletUrl', 'ca', 'production']);

const { launchRules, timeZone, serialization } = defaultEnvironment;

/** Returns the shared settings of an environment of the home. `nameOf` gives the name of another by its ID. */
export function sharedOf(environment: Environment, nameOf: (id: string) => string): SharedSettings {
  const { baseUrl, walletUrl, platform, partnerId, production, timeZone, serialization, ca } = environment;
  const { playerId: _own, ...defaults } = environment.defaults;
  const { launchRules, sameProviderAs: other } = environment;
  const sameProviderAs = other === undefined ? '' : nameOf(other);
  const answers = other === undefined ? environment.answers : {};
  return {
    baseUrl,
    walletUrl,
    platform,
    partnerId,
    production,
    timeZone,
    serialization,
    ca,
    defaults,
    launchRules,
    sameProviderAs,
    answers,
  };
}

/** Returns an environment with other shared settings; the rest stays. `idOf` gives the ID of another by its name. */
export function withShared(environment: Environment, settings: SharedSettings, idOf: (name: string) => string): Environment {
  const { sameProviderAs: _before, ...rest } = environment;
  return {
    ...rest,
    ...inHome(settings, idOf),
    defaults: { ...settings.defaults, playerId: environment.defaults.playerId },
  };
}

/** Returns shared settings as a home has them: with the ID of the other environment, if there is one. `idOf` gives it by its name. */
export function inHome({ sameProviderAs: name, ...settings }: SharedSettings, idOf: (name: string) => string) {
  return { ...settings, ...(name === '' ? {} : { sameProviderAs: idOf(name) }) };
}

/** Returns the settings that a file means. `ca` is the PEM of its certificate authority. */
export function settingsIn(file: EnvironmentFile, ca: string): SharedSettings {
  const { platform, partnerId, production, defaults, launchRules: rules } = file;
  return {
    ...storedSettings({ ...file, timeZone: file.timeZone || timeZone }),
    platform: Number(platform),
    partnerId: Number(partnerId),
    production,
    serialization: file.serialization ?? serialization,
    ca,
    defaults: {
      currency: defaults.currency ?? '',
      lang: defaults.lang ?? '',
      country: defaults.country ?? '',
      ip: defaults.ip ?? '',
      exitURL: defaults.exitURL ?? '',
    },
    launchRules: {
      readyWithin: Number(rules.readyWithin ?? launchRules.readyWithin),
      slowAfter: Number(rules.slowAfter ?? launchRules.slowAfter),
      noise: [...(rules.noise ?? [])],
      readySigns: [...(rules.readySigns ?? [])],
      errorTexts: [...(rules.errorTexts ?? [])],
    },
    sameProviderAs: file.sameProviderAs ?? '',
    answers: Object.fromEntries(
      Object.entries(file.answers).map(([id, { value, date, evidence = '' }]) => [
        id,
        { value, note: evidence, ...(date === undefined ? {} : { date }) },
      ]),
    ),
  };
}

/**
 * Returns the file that means these settings. What a file that is there means already stays as it is written there, so that its lines do not
 * change.
 */
export function fileOf(settings: SharedSettings, there: EnvironmentFile | null): Omit<EnvironmentFile, 'ca'> {
  const before = there === null ? null : settingsIn(there, '');
  /** Returns the text as written if it means the same, else the new one; undefined leaves the line out. */
  function written<T, Text>(
    next: T,
    pick: (settings: SharedSettings) => T,
    old: (file: EnvironmentFile) => Text | undefined,
    text: Text | undefined,
  ): Text | undefined {
    return there !== null && before !== null && pick(before) === next ? old(there) : text;
  }
  const { baseUrl, walletUrl, platform, partnerId, production, defaults, launchRules: rules } = settings;
  const same = (name: 'baseUrl' | 'walletUrl' | 'timeZone') =>
    written(
      settings[name],
      (one) => one[name],
      (file) => file[name],
      settings[name],
    );
  const default_ = (name: keyof SharedSettings['defaults']) => {
    const text = defaults[name];
    return written(
      text,
      (one) => one.defaults[name],
      (file) => file.defaults[name],
      text === '' ? undefined : text,
    );
  };
  const limit = (name: 'readyWithin' | 'slowAfter') => {
    const seconds = rules[name];
    return written(
      seconds,
      (one) => one.launchRules[name],
      (file) => file.launchRules[name],
      seconds === launchRules[name] && there === null ? undefined : String(seconds),
    );
  };
  return {
    baseUrl: same('baseUrl') ?? baseUrl,
    walletUrl: same('walletUrl') ?? walletUrl,
    platform: String(platform),
    partnerId: String(partnerId),
    production,
    timeZone: same('timeZone') ?? settings.timeZone,
    serialization: written(
      settings.serialization,
      (one) => one.serialization,
      (file) => file.serialization,
      settings.serialization,
    ),
    defaults: without({
      currency: default_('currency'),
      lang: default_('lang'),
      country: default_('country'),
      ip: default_('ip'),
      exitURL: default_('exitURL'),
    }),
    launchRules: without({
      readyWithin: limit('readyWithin'),
      slowAfter: limit('slowAfter'),
      noise: filled(rules.noise),
      readySigns: filled(rules.readySigns),
      errorTexts: filled(rules.errorTexts),
    }),
    sameProviderAs: settings.sameProviderAs === '' ? undefined : settings.sameProviderAs,
    answers: Object.fromEntries(
      Object.entries(settings.answers).map(([id, { value, note, date }]) => [
        id,
        without({ value, date, evidence: note === '' ? undefined : note }),
      ]),
    ),
  };
}

/** A list that is empty is not written. */
function filled(texts: readonly string[]): string[] | undefined {
  return texts.length === 0 ? undefined : [...texts];
}

/** Returns what differs, in the order of a file. A setting that is absent is an empty text. */
export function differences(home: SharedSettings | null, file: SharedSettings): SharedDifference[] {
  const [before, after] = [home === null ? new Map<string, string>() : linesOf(home), linesOf(file)];
  return [...new Set([...after.keys(), ...before.keys()])]
    .map((field) => ({
      field,
      home: before.get(field) ?? '',
      file: after.get(field) ?? '',
      asks: asked.has(field),
    }))
    .filter((one) => one.home !== one.file);
}

/** Returns each setting as a line for a person, by its name in a file. */
function linesOf(settings: SharedSettings): Map<string, string> {
  const { baseUrl, walletUrl, platform, partnerId, production, timeZone, serialization, ca, defaults, launchRules, answers } =
    settings;
  const { readyWithin, slowAfter, noise, readySigns, errorTexts } = launchRules;
  return new Map<string, string>([
    ['baseUrl', baseUrl],
    ['walletUrl', walletUrl],
    ['platform', String(platform)],
    ['partnerId', String(partnerId)],
    ['production', String(production)],
    ['timeZone', timeZone],
    ['serialization', serialization],
    ['ca', fingerprintsOf(ca)],
    ...Object.entries(defaults).map(([name, value]) => [`defaults.${name}`, value] as const),
    ['launchRules.readyWithin', String(readyWithin)],
    ['launchRules.slowAfter', String(slowAfter)],
    ['launchRules.noise', noise.join('\n')],
    ['launchRules.readySigns', readySigns.join('\n')],
    ['launchRules.errorTexts', errorTexts.join('\n')],
    ['sameProviderAs', settings.sameProviderAs],
    ...Object.entries(answers).flatMap(([id, { value, note, date = '' }]) => [
      [`answers.${id}`, value] as const,
      [`answers.${id}.date`, date] as const,
      [`answers.${id}.evidence`, note] as const,
    ]),
  ]);
}

/** Leaves out members that are undefined. */
function without<T extends object>(value: { [Name in keyof T]: T[Name] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}
