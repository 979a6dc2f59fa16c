import { late, otherwise, z } from '#shared/model/schema.ts';
import { keepUnknown } from '#shared/json/keep-unknown.ts';
import type { Client } from '#shared/ipc/index.ts';
import type { SettingName } from '#shared/ipc/settings.ts';
import { areas, type AreaName } from '#shared/areas.ts';
import { groupings } from '#renderer/features/history/call-groups.ts';

/** State in which the page was left; sizes of panes are kept with the open requests. */
export interface Layout {
  readonly area: AreaName;
  readonly sidebar: boolean;
  readonly environmentId: string | null;
  /** Grouping of the history. */
  readonly grouping: (typeof groupings)[number];
}

const usual: Layout = { area: 'requests', sidebar: true, environmentId: null, grouping: 'session' };
const layoutSchema = late(() =>
  z.object({
    area: otherwise(z.enum(areas.map(({ name }) => name)), usual.area),
    sidebar: otherwise(z.boolean(), usual.sidebar),
    environmentId: otherwise(z.nullable(z.string()), usual.environmentId),
    grouping: otherwise(z.enum(groupings), usual.grouping),
  }),
);

/** Reads the remembered layout. Missing or invalid values get defaults. */
export function readLayout(text: string | undefined): Layout {
  return text === undefined ? usual : layoutSchema().parse(objectIn(text));
}

/** A value that was sent; `given` makes it again. */
interface Write {
  readonly value: string;
  readonly number: number;
  readonly given: string | (() => string);
  isKept: boolean;
}

/** Writes remembered values a moment after they changed, and never the same value twice. */
export type SettingsWriter = ReturnType<typeof createSettingsWriter>;

/**
 * `later` calls back once after a number of milliseconds and returns the function that cancels this; `page` names this page among
 * others.
 */
export function createSettingsWriter(
  client: Client,
  deps: {
    page: string;
    later: (run: () => void, milliseconds: number) => () => void;
    onFailed: (message: string) => void;
    /** Called if a written value held a private key; it is remembered without it. */
    onMasked: () => void;
    /** Called if the settings hold fields that this version does not know. */
    onUnknown: () => void;
  },
) {
  const before = new Map<string, { readonly raw: unknown; readonly known: unknown }>();
  /** Names of values whose version this one does not know; they are left alone. */
  const newer = new Set<string>();
  const waiting = new Map<string, string | (() => string)>();
  const written = new Map<string, Write>();
  const failed = new Set<string>();
  let callOff: (() => void) | null = null;
  let number = 0;

  function flush(): void {
    callOff?.();
    callOff = null;
    for (const [name, given] of waiting) {
      const value = withUnknown(name, typeof given === 'string' ? given : given());
      if (written.get(name)?.value === value) continue;
      const write = { value, number: number++, given, isKept: false };
      written.set(name, write);
      send(name, write);
    }
    waiting.clear();
  }

  function send(name: string, write: Write): void {
    const { value, given } = write;
    client.call('settings.write', { name, value, order: { page: deps.page, number: write.number } }).then(
      ({ masked }) => {
        write.isKept = true;
        failed.delete(name);
        if (masked) deps.onMasked();
      },
      (error: unknown) => {
        failed.add(name);
        // If something newer was written since, or waits already, this value is no longer wanted.
        if (written.get(name) === write) {
          written.delete(name);
          if (!waiting.has(name)) waiting.set(name, given);
        }
        deps.onFailed(error instanceof Error ? error.message : String(error));
      },
    );
  }

  function withUnknown(name: string, text: string): string {
    const found = before.get(name);
    return found === undefined ? text : JSON.stringify(keepUnknown(found.raw, found.known, objectIn(text)));
  }

  return {
    /**
     * Takes the text that was stored, and the text that this version would write of it: fields that it does not know stay beside
     * those that it writes.
     */
    restored(name: SettingName, text: string | undefined, known: string) {
      if (text === undefined) return;
      const found = { raw: objectIn(text), known: objectIn(known) };
      if (isNewer(found.raw, found.known) || Object.keys(found.raw).some((one) => !Object.hasOwn(found.known, one)))
        deps.onUnknown();
      if (isNewer(found.raw, found.known)) newer.add(name);
      else before.set(name, found);
    },
    /** Writes a value. A function is called for it only when it is written. */
    write(name: SettingName, value: string | (() => string)) {
      if (newer.has(name)) return;
      waiting.set(name, value);
      callOff ??= deps.later(flush, 400);
    },
    /** Writes at once what waits. */
    flush,
    /** Writes at once what waits, and again what nobody has confirmed: it goes with the line of the page when the page goes away. */
    leave() {
      for (const [name, write] of written) if (!write.isKept) send(name, write);
      flush();
    },
    /** Returns whether the disk has its value or will have it: false after a write that failed, and for one of a newer version. */
    keeps: (name: SettingName): boolean => !newer.has(name) && !failed.has(name),
  };
}

function isNewer(raw: object, known: object): boolean {
  return 'version' in raw && 'version' in known && raw.version !== known.version;
}

/** Reads a remembered text as an object; an empty one if it is another value or not JSON. */
export function objectIn(text: string | undefined): object {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
