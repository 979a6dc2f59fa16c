import type { Environment, EnvironmentColor, EnvironmentDraft, Serialization } from '#shared/ipc/index.ts';
import { defaultEnvironment } from '#shared/model/default-environment.ts';

/** Name of a setting that the form holds. A new one does not compile until it is read here and in `editedFrom`. */
type Setting = keyof Omit<Environment, 'id' | 'kind' | 'answers'>;

/** An environment while it is edited: numbers are text as typed. */
export interface EditedEnvironment extends Readonly<Record<Setting, unknown>> {
  readonly name: string;
  readonly color: EnvironmentColor;
  /** Null until the user says it: nothing about a new environment shows it. */
  readonly production: boolean | null;
  readonly baseUrl: string;
  readonly walletUrl: string;
  readonly platform: string;
  readonly partnerId: string;
  readonly timeZone: string;
  readonly serialization: Serialization;
  readonly defaults: Environment['defaults'];
  readonly ca: string;
  /** `system`, `none` or an address, which may be empty while it is typed. */
  readonly proxy: string;
  readonly timeouts: Readonly<Record<keyof Environment['timeouts'], string>>;
  readonly maxResponseBytes: string;
  /** `noise`, `readySigns`, `errorTexts`: a text on each line. */
  readonly launchRules: Readonly<Record<keyof Environment['launchRules'], string>>;
  /** ID of the environment whose recorded answers it has; empty for its own. */
  readonly sameProviderAs: string;
}

/** Messages by the path of their field, such as `defaults.lang`. */
export type FieldErrors = Readonly<Record<string, string>>;

/** Returns the form of an environment. */
export function editedFrom(environment: Omit<Environment, 'id' | 'kind' | 'answers'>): EditedEnvironment {
  const { name, color, production, baseUrl, walletUrl, timeZone, serialization, defaults, ca } = environment;
  const { connect, headers, idle, total } = environment.timeouts;
  const { readyWithin, slowAfter, noise, readySigns, errorTexts } = environment.launchRules;
  return {
    name,
    color,
    production,
    baseUrl,
    walletUrl,
    platform: String(environment.platform),
    partnerId: String(environment.partnerId),
    timeZone,
    serialization,
    defaults,
    ca,
    proxy: environment.proxy ?? 'system',
    timeouts: { connect: String(connect), headers: String(headers), idle: String(idle), total: String(total) },
    maxResponseBytes: String(environment.maxResponseBytes),
    launchRules: {
      readyWithin: String(readyWithin),
      slowAfter: String(slowAfter),
      noise: noise.join('\n'),
      readySigns: readySigns.join('\n'),
      errorTexts: errorTexts.join('\n'),
    },
    sameProviderAs: environment.sameProviderAs ?? '',
  };
}

/** Returns the form of a new environment; fields that only the provider knows are empty. */
export function editedNew(): EditedEnvironment {
  const usual = {
    ...defaultEnvironment,
    launchRules: { ...defaultEnvironment.launchRules, noise: [], readySigns: [], errorTexts: [] },
    name: '',
    production: false,
    baseUrl: '',
    platform: 0,
    partnerId: 0,
  };
  return { ...editedFrom(usual), platform: '', partnerId: '', production: null };
}

/** Returns whether two forms would be saved as the same environment. */
export function sameEdited(a: EditedEnvironment, b: EditedEnvironment): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Converts the form to the contract's draft, or to messages by field. It checks only what can be checked here; core has the last
 * word. The schema is the contract's `EnvironmentDraft`, which the page does not load at its start.
 */
export function draftFrom(
  schema: typeof EnvironmentDraft,
  edited: EditedEnvironment,
  answers: Environment['answers'],
): { ok: true; draft: EnvironmentDraft } | { ok: false; errors: FieldErrors } {
  const errors: Record<string, string> = {};
  const whole = (path: string, text: string, what: string): number => {
    const trimmed = text.trim();
    if (/^-?\d{1,15}$/.test(trimmed)) return Number(trimmed);
    errors[path] = trimmed === '' ? `${what} is missing.` : `${what} must be a whole number.`;
    return 0;
  };
  const { sameProviderAs, proxy, ...fields } = edited;
  const draft = {
    ...fields,
    ...(sameProviderAs === '' ? {} : { sameProviderAs }),
    ...(proxy === 'system' ? {} : { proxy }),
    name: edited.name.trim() || suggestedName(edited.baseUrl),
    production: edited.production ?? false,
    baseUrl: edited.baseUrl.trim(),
    walletUrl: edited.walletUrl.trim(),
    platform: whole('platform', edited.platform, 'The platform'),
    partnerId: whole('partnerId', edited.partnerId, 'The partner ID'),
    timeouts: {
      connect: whole('timeouts.connect', edited.timeouts.connect, 'The limit'),
      headers: whole('timeouts.headers', edited.timeouts.headers, 'The limit'),
      idle: whole('timeouts.idle', edited.timeouts.idle, 'The limit'),
      total: whole('timeouts.total', edited.timeouts.total, 'The limit'),
    },
    maxResponseBytes: whole('maxResponseBytes', edited.maxResponseBytes, 'The limit'),
    launchRules: {
      readyWithin: whole('launchRules.readyWithin', edited.launchRules.readyWithin, 'The limit'),
      slowAfter: whole('launchRules.slowAfter', edited.launchRules.slowAfter, 'The limit'),
      noise: linesOf(edited.launchRules.noise),
      readySigns: linesOf(edited.launchRules.readySigns),
      errorTexts: linesOf(edited.launchRules.errorTexts),
    },
    answers,
  };
  if (edited.production === null) errors['production'] = 'Choose whether this environment is production.';
  if (draft.name === '') errors['name'] = 'Enter a name.';
  if (proxy.trim() === '') errors['proxy'] = 'Enter the address of the proxy.';
  if (draft.baseUrl === '') errors['baseUrl'] = 'Enter a base URL that begins with https://.';
  for (const [path, what] of [
    ['baseUrl', 'The base URL'],
    ['walletUrl', 'The wallet URL'],
  ] as const) {
    if (draft[path] !== '' && !/^https:\/\//i.test(draft[path])) errors[path] = `${what} must begin with https://.`;
  }
  const parsed = schema.safeParse(draft);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      // A list is one field.
      const path = issue.path.filter((part) => typeof part === 'string').join('.');
      errors[path] ??= `${issue.message}.`;
    }
  }
  return Object.keys(errors).length === 0 ? { ok: true, draft } : { ok: false, errors };
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Returns the messages by field in the details of core's refusal; none if it names no field. */
export function errorsIn(details: unknown, message: string): FieldErrors {
  if (typeof details !== 'object' || details === null) return {};
  if ('field' in details && typeof details.field === 'string') return { [details.field]: message };
  if (!('issues' in details) || !Array.isArray(details.issues)) return {};
  const errors: Record<string, string> = {};
  for (const issue of details.issues as readonly unknown[]) {
    if (typeof issue !== 'object' || issue === null || !('path' in issue) || !('message' in issue)) continue;
    const path = Array.isArray(issue.path) ? issue.path.join('.') : typeof issue.path === 'string' ? issue.path : '';
    if (typeof issue.message === 'string') errors[path.replace(/^environment\./, '')] ??= issue.message;
  }
  return errors;
}

/** Returns the name of an environment that was given none: the host of its base URL. Empty without one. */
export function suggestedName(baseUrl: string): string {
  return /^https:\/\/(?:[^/?#@]*@)?([^/?#\s]{1,100})/i.exec(baseUrl.trim())?.[1]?.toLowerCase() ?? '';
}

/** Returns a name for a copy that is not taken yet. */
export function copyName(name: string, taken: readonly string[]): string {
  const base = `${name} copy`.slice(0, 90);
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? base : `${base} ${count}`;
    if (!taken.includes(candidate)) return candidate;
  }
}
