import type { Overrides } from '#shared/ipc/index.ts';
import { operationByName } from '#shared/provider/index.ts';
import { carryFields } from './carry-fields.ts';
import { formThatFits } from './fitting-form.ts';
import { edited, type RequestView } from './request-tab.ts';
import type { RequestTemplate } from './request-template.ts';
import type { TabExtras } from './tab-file.ts';
import type { TabList } from './tab-list.ts';

/** Changes the texts and choices of a tab. */
export interface EditActions {
  readonly setText: (id: string, text: string) => void;
  readonly setForm: (id: string, form: string) => void;
  readonly setView: (id: string, view: RequestView) => void;
  /** Sets an override; an undefined value removes it. */
  readonly setOverride: <K extends keyof Overrides>(id: string, name: K, value: Overrides[K]) => void;
  readonly clearOverrides: (id: string) => void;
  readonly setExtras: (id: string, extras: TabExtras) => void;
}

/** Creates the actions that edit a tab. */
export function createEditTabs({ update }: Pick<TabList, 'update'>, template: RequestTemplate): EditActions {
  return {
    setText(id, text) {
      update(id, (tab) => {
        if (tab.text === text) return tab;
        const form = formThatFits(operationByName(tab.operation), tab.form, { before: tab.text, after: text });
        return edited(tab, form === null ? { text } : { text, form });
      });
    },
    setForm(id, form) {
      update(id, (tab) => {
        if (tab.form === form) return tab;
        const operation = operationByName(tab.operation);
        const text = carryFields(tab.text, template(operation, form), operation, form);
        return edited(tab, { form, text });
      });
    },
    setView(id, view) {
      update(id, (tab) => ({ ...tab, view }));
    },
    setOverride(id, name, value) {
      update(id, (tab) => {
        const overrides: Overrides = { ...tab.overrides };
        delete overrides[name];
        if (value !== undefined && !(Array.isArray(value) && value.length === 0)) overrides[name] = value;
        return edited(tab, { overrides });
      });
    },
    clearOverrides(id) {
      update(id, (tab) => edited(tab, { overrides: {} }));
    },
    setExtras(id, extras) {
      update(id, (tab) => edited(tab, { extras }));
    },
  };
}
