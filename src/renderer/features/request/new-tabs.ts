import type { Call, RequestDraft } from '#shared/ipc/index.ts';
import { formOf, operationByName, type OperationName } from '#shared/provider/index.ts';
import { originOf, startedTab, type RequestTab } from './request-tab.ts';
import type { RequestTemplate } from './request-template.ts';
import type { TabList } from './tab-list.ts';

/** Opens requests that are in no file and of no call. */
export interface NewTabActions {
  /** Selects the operation's tab, or opens one from the template. */
  readonly openOperation: (name: OperationName) => void;
  /** Opens a request of its own; `call` is the call that it was made from. */
  readonly openDraft: (draft: RequestDraft, call?: Call) => void;
  /** One more tab of the active tab's operation, from the template. */
  readonly newTab: (name?: OperationName) => void;
}

/** Creates the actions that open new requests. */
export function createNewTabs(
  { all, find, add, show }: Pick<TabList, 'all' | 'find' | 'add' | 'show'>,
  { template, newId }: { readonly template: RequestTemplate; readonly newId: () => string },
): NewTabActions {
  function fresh(name: OperationName): RequestTab {
    const operation = operationByName(name);
    const form = formOf(operation, '').id;
    return startedTab(newId(), { operation: name, form, text: template(operation, form), overrides: {} });
  }

  return {
    openOperation(name) {
      const fits = (tab: RequestTab) => tab.operation === name && tab.file === null;
      const active = find(undefined);
      const open = active !== undefined && fits(active) ? active : all().find(fits);
      if (open === undefined) add(fresh(name));
      else show(open.id);
    },
    openDraft(draft, call) {
      const tab = startedTab(newId(), draft);
      add(call === undefined ? tab : { ...tab, origin: originOf(call) });
    },
    newTab(name) {
      add(fresh(name ?? find(undefined)?.operation ?? 'gameList'));
    },
  };
}
