import { checkOfValue, checksOfCall, isSecretPath, nameOfValue } from '#shared/collections/value-rules.ts';
import type { Expectation } from '#shared/collections/model.ts';
import { parseJson, type JsonNode } from '#shared/json/parse.ts';
import { pointerTo } from '#shared/json/pointer.ts';
import { valueAt } from '#shared/json/value-at.ts';
import { startWork } from '#renderer/faults/faults.ts';
import { currentEnvironment } from '#renderer/features/environments/environments-store.ts';
import type { RequestTab } from '#renderer/features/request/tabs/request-tab.ts';
import { announcer } from '#renderer/ui/announcer.ts';
import type { Workbench } from './workbench.ts';

/** The value that the cursor of a response is on. */
interface PointedValue {
  readonly tab: RequestTab;
  readonly node: JsonNode;
  /** A JSON Pointer. */
  readonly path: string;
}

/** Adds the check that the value at the cursor of the response is as it came to the request in sight. */
export function checkValue(workbench: Workbench): void {
  const found = pointed(workbench);
  if (found === null) return;
  const { tab, node, path } = found;
  const { expect } = tab.extras;
  const answers = currentEnvironment(workbench.environments.getState())?.answers ?? {};
  const check = checkOfValue(node, path, answers);
  if (check === null) return tell(workbench, 'The path of this value is too long for a check.');
  if (expect.some((one) => JSON.stringify(one) === JSON.stringify(check))) {
    return tell(
      workbench,
      `Check ${expect.findIndex((one) => JSON.stringify(one) === JSON.stringify(check)) + 1} already demands this.`,
    );
  }
  // The first check replaces the usual demand, which stays one of the request.
  const usual: Expectation[] = expect.length === 0 && tab.call?.code === 0 && !('code' in check) ? [{ code: '0' }] : [];
  const next = [...expect, ...usual, check];
  add(workbench, tab, { ...tab.extras, expect: next });
  const secret = isSecretPath(path, answers) ? ' Croupier saves no tokens in files, so the check tests the type only.' : '';
  done(workbench, tab, `Added check ${next.length}: ${wordsOf(check, path)}.${secret}`);
}

/** Opens a call as a request with checks that its next response is as this one. */
export async function checkCall(workbench: Workbench, id: number): Promise<void> {
  const { client, requests, shell, moveFocus } = workbench;
  shell.getState().show('requests');
  const call = await requests.getState().openCall(id);
  const tab = requests.getState().tabs.find(({ id: tabId }) => tabId === requests.getState().activeId);
  if (call === null || tab === undefined) return;
  const made = checksOfCall(call, new TextDecoder().decode(await client.body(id)));
  add(workbench, tab, { ...tab.extras, ...made });
  moveFocus('[data-pane="main"] [role="tab"][aria-selected="true"]');
  const count = made.expect.length === 1 ? 'Added 1 check' : `Added ${made.expect.length} checks`;
  done(workbench, tab, `${count} of the response to call ${id}.`, made.expect.length > 1);
}

/** Makes the value at the cursor of the response a variable of what is sent next. */
export function takeValue(workbench: Workbench): void {
  const found = pointed(workbench);
  if (found === null) return;
  const { tab, path } = found;
  const { take } = tab.extras;
  const known = Object.keys(take).find((name) => take[name] === path);
  if (known !== undefined) return tell(workbench, `${known} already takes this value.`);
  const name = nameOfValue(path, Object.keys(take));
  add(workbench, tab, { ...tab.extras, take: { ...take, [name]: path } });
  done(workbench, tab, `${path === '' ? 'The response' : path} is taken as {{${name}}}.`);
}

function add({ requests }: Workbench, tab: RequestTab, extras: RequestTab['extras']): void {
  requests.getState().setExtras(tab.id, extras);
  requests.getState().setView(tab.id, 'checks');
}

/** Says it, and what keeps it from having an effect. */
function done({ requests, shell }: Workbench, { id, file }: RequestTab, text: string, isMany = false): void {
  if (file?.gone === false) return announcer.say(text);
  shell.getState().notify({
    tone: 'note',
    text: `${text} ${isMany ? 'They apply' : 'It applies'} once the request is saved in a collection.`,
    action: { label: 'Save…', run: () => startWork(requests.getState().save(id)) },
  });
}

function wordsOf(check: Expectation, path: string): string {
  if ('code' in check) return `code is ${check.code}`;
  const place = path === '' ? 'the response' : path;
  const { equals = null, type = '' } = 'path' in check ? check : {};
  if (equals === null) return `${place} is of type ${type}`;
  return `${place} is ${equals.length > 60 ? `${equals.slice(0, 60)}…` : equals}`;
}

function pointed(workbench: Workbench): PointedValue | null {
  const { requests, responses } = workbench;
  const { tabs, activeId } = requests.getState();
  const tab = tabs.find(({ id }) => id === activeId);
  const { bodies, cursor } = responses.getState();
  const body = tab?.callId === null || tab === undefined ? undefined : bodies.get(tab.callId);
  if (tab === undefined || body?.state !== 'ready' || body.pretty === null || !body.body.isJson) {
    tell(workbench, 'This response is not shown as JSON, so no value can be chosen.');
    return null;
  }
  if (!body.pretty.whole) {
    tell(workbench, 'Only the beginning of this response is shown. Enter the path of the value under Checks.');
    return null;
  }
  const parsed = parseJson(body.pretty.text);
  if (cursor?.callId !== tab.callId || !parsed.ok) {
    tell(workbench, 'Put the cursor on a value in the response body first.');
    return null;
  }
  const node = valueAt(parsed.root, body.pretty.text, cursor.offset);
  return { tab, node, path: pointerTo(parsed.root, node) };
}

function tell({ shell }: Workbench, text: string): void {
  shell.getState().notify({ tone: 'note', text });
}
