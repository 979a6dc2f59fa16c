import type { Call, RequestDraft } from '#shared/ipc/index.ts';
import { formOf, operationByName, type OperationName } from '#shared/provider/index.ts';
import { originOf, startedTab, type RequestTab } from './request-tab.ts';
import type { RequestTemplate } from './request-template.ts';
import type { TabList } from './tab-list.ts';

/** Opens requests that are in no file and of no call. */
export type NewTabActions = ReturnType<typeof createNewTabs>;

/** Creates the actions that open new requests. */
export function createNewTabs(
  { all, find, add, show }: Pick<TabList, 'all' | 'find' | 'add' | 'show'>,
  { template, newId }: { readonly template: RequestTemplate; readonly newId: () => string },
) {
  function fresh(name: OperationName): RequestTab {
    const operation = operationByName(name);
    const form = formOf(operation, '').id;
    return startedTab(newId(), { operation: name, form, text: template(operation, form), overrides: {} });
  }

  return {
    /** Selects the operation's tab, or opens one from the template. */
    openOperation(name: OperationName) {
      const fits = (tab: RequestTab) => tab.operation === name && tab.file === null;
      const active = find(undefined);
      const open = active !== undefined && fits(active) ? active : all().find(fits);
      if (open === undefined) add(fresh(name));
      else show(open.id);
    },
    /** Opens a request of its own; `call` is the call that it was made from. */
    openDraft(draft: RequestDraft, call?: Call) {
      const tab = startedTab(newId(), draft);
      add(call === undefined ? tab : { ...tab, origin: originOf(call) });
    },
    /** One more tab of the active tab's operation, from the template. */
    newTab(name?: OperationName) {
      add(fresh(name ?? find(undefined)?.operation ?? 'gameList'));
    },
  };
}
