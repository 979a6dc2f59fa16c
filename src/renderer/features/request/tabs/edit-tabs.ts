import type { Notify } from '#renderer/ui/notice.tsx';
import type { Overrides } from '#shared/ipc/index.ts';
import { operationByName } from '#shared/provider/index.ts';
import { formThatFits } from './fitting-form.ts';
import { edited, type RequestView } from './request-tab.ts';
import type { RequestTemplate } from './request-template.ts';
import type { TabExtras } from './tab-file.ts';
import type { TabList } from './tab-list.ts';
import { memberText, setMember } from '#shared/payload-text/edit.ts';
import { parseJson } from '#shared/json/parse.ts';
import { withStandIns } from '#shared/payload-text/placeholders.ts';
import type { Operation } from '#shared/provider/model.ts';
import { payloadExcess } from '#shared/provider/payload-limits.ts';

/** Changes the texts and choices of a tab. */
export type EditActions = ReturnType<typeof createEditTabs>;

/** Creates the actions that edit a tab. */
export function createEditTabs({ find, update }: Pick<TabList, 'find' | 'update'>, template: RequestTemplate, notify: Notify) {
  return {
    setText(id: string, text: string) {
      update(id, (tab) => {
        if (tab.text === text) return tab;
        const form = formThatFits(operationByName(tab.operation), tab.form, { before: tab.text, after: text });
        return edited(tab, form === null ? { text } : { text, form });
      });
    },
    setForm(id: string, form: string) {
      update(id, (tab) => {
        if (tab.form === form) return tab;
        const operation = operationByName(tab.operation);
        const text = carryFields(tab.text, template(operation, form), operation, form);
        return edited(tab, { form, text });
      });
    },
    setView(id: string, view: RequestView) {
      update(id, (tab) => ({ ...tab, view }));
    },
    /** Sets an override; an undefined value removes it. */
    setOverride<K extends keyof Overrides>(id: string, name: K, value: Overrides[K]) {
      update(id, (tab) => {
        const overrides: Overrides = { ...tab.overrides };
        delete overrides[name];
        if (value !== undefined && !(Array.isArray(value) && value.length === 0)) overrides[name] = value;
        return edited(tab, { overrides });
      });
    },
    clearOverrides(id: string) {
      update(id, (tab) => edited(tab, { overrides: {} }));
    },
    setExtras(id: string, extras: TabExtras) {
      update(id, (tab) => edited(tab, { extras }));
    },
    /** Removes a check or a response variable by its position; the notice undoes it. */
    removeEntry(id: string, of: keyof typeof removable, at: number) {
      const removed = removable[of](find(id)?.extras, at);
      if (removed === null) return;
      const put = (change: (extras: TabExtras) => TabExtras) => update(id, (tab) => edited(tab, { extras: change(tab.extras) }));
      put(() => removed.extras);
      notify({
        tone: 'note',
        text: `Removed ${removed.name}.`,
        undo: {
          what: `removed ${removed.name}`,
          async run() {
            if (find(id) === undefined) return false;
            put(removed.putBack);
            return true;
          },
        },
      });
    },
  };
}

/** Returns how an entry leaves a list in the file of a tab, and comes back to its place. */
function removeFrom<Entry>(
  name: (entry: Entry, at: number) => string,
  read: (extras: TabExtras) => readonly Entry[],
  write: (extras: TabExtras, entries: Entry[]) => TabExtras,
) {
  return (extras: TabExtras | undefined, at: number) => {
    const entry = extras === undefined ? undefined : read(extras)[at];
    if (extras === undefined || entry === undefined) return null;
    return {
      name: name(entry, at),
      extras: write(extras, read(extras).toSpliced(at, 1)),
      putBack: (now: TabExtras) => write(now, read(now).toSpliced(at, 0, entry)),
    };
  };
}

const removable = {
  expect: removeFrom(
    (_: TabExtras['expect'][number], at) => `check ${at + 1}`,
    ({ expect }) => expect,
    (extras, expect) => ({ ...extras, expect }),
  ),
  take: removeFrom(
    ([name]: [string, string]) => `variable ${name}`,
    ({ take }) => Object.entries(take),
    (extras, take) => ({ ...extras, take: Object.fromEntries(take) }),
  ),
};

/** Names of the same value for one player and for many. */
const PAIRS: readonly (readonly [one: string, many: string])[] = [
  ['playerId', 'playerIds'],
  ['externalReferenceId', 'externalReferenceIds'],
];

/**
 * Returns the template of another form of the same operation with the values that were already typed: fields of the same name move
 * as they are, and one player becomes a list of one or the first of a list. A text that is not an object, or is beyond the limits
 * of a payload, gives the template.
 */
function carryFields(from: string, template: string, operation: Operation, form: string): string {
  if (payloadExcess(from) !== null) return template;
  const parsed = parseJson(withStandIns(from));
  if (!parsed.ok || parsed.root.kind !== 'object') return template;
  const fields = operation.forms.find((one) => one.id === form)?.fields ?? [];
  let text = template;
  for (const field of fields) {
    const value = memberText(from, field.name) ?? paired(from, field.name);
    if (value !== null) text = setMember(text, field.name, value);
  }
  return text;
}

function paired(from: string, name: string): string | null {
  for (const [one, many] of PAIRS) {
    if (name === many) {
      const value = memberText(from, one);
      if (value !== null) return `[${value}]`;
    }
    if (name === one) {
      const list = memberText(from, many);
      const parsed = list === null ? null : parseJson(list);
      if (list === null || parsed === null || !parsed.ok || parsed.root.kind !== 'array') continue;
      const first = parsed.root.items[0];
      if (first !== undefined) return list.slice(first.start, first.end);
    }
  }
  return null;
}
