import { AppError } from '#shared/errors.ts';
import { explainCall } from '#shared/explanation/explain-call.ts';
import type { Explanation, ExplanationAction } from '#shared/explanation/explanation.ts';
import { canCompare, findAccepted } from '#shared/explanation/last-accepted.ts';
import { isBuiltIn } from '#shared/explanation/provider-reason.ts';
import { plainText } from '#shared/explanation/sentence.ts';
import type { Call, Client } from '#shared/ipc/index.ts';
import { isPackEnvironment } from '#shared/model/pack-environment.ts';
import { compareCalls } from '#shared/calls/compare-calls.ts';

/** Explains a recorded call with the data of this home; null if there is nothing to explain. */
export async function explainRecorded(client: Client, call: Call, bodyText: string | null): Promise<Explanation | null> {
  if (call.response === null) return null;
  const { environments } = await client.call('environments.list', {});
  const environment = environments.find(({ id }) => id === call.environmentId) ?? null;
  // Null if the history cannot be read, because the user did not ask for this.
  const good = canCompare(call) ? await findAccepted(client, call).catch(nullIfRefused) : null;
  const accepted = good === null ? null : { call: good, comparison: compareCalls(good, call) };
  const keys =
    environment === null || call.code !== 8 ? null : await client.call('keys.status', { environmentId: environment.id });
  return explainCall({ call, environment, accepted, keys, finding: null, responseText: bodyText });
}

/** Returns null for an error that core says; throws any other. */
export function nullIfRefused(error: unknown): null {
  if (error instanceof AppError) return null;
  throw error;
}

/** Writes an explanation in lines for a terminal: the title, the facts, the steps, and their commands. */
export function explanationLines({ title, facts, steps, links }: Explanation, call: Call): string[] {
  const name = call.environmentName;
  return [
    plainText(title),
    ...facts.map(plainText),
    ...steps.map(({ text, action }, at) => {
      const command = action === null ? null : commandFor(action, call, name);
      return `${at + 1}. ${plainText(text)}${command === null ? '' : ` ${command}`}`;
    }),
    ...links.flatMap((link) => commandFor(link, call, name) ?? []),
  ];
}

function commandFor(action: ExplanationAction, call: Call, environment: string): string | null {
  // An environment of this home that has its name is another one.
  if (isPackEnvironment(call.environmentId)) return null;
  const name = /^[\w.-]+$/.test(environment) ? environment : JSON.stringify(environment);
  switch (action.kind) {
    case 'openLog':
      return 'While that provider is running, you can read its log in the workbench under History, or with "croupier sandbox --json".';
    case 'openPoint':
      return `Record it with: croupier env set ${name} --answer ${action.id}=…`;
    case 'compare':
      return `Compare the two with: croupier history diff ${action.callId} ${call.id}`;
    case 'setSerialization':
      return `croupier env set ${name} --serialization ${action.value}`;
    case 'setKey':
      return isBuiltIn(call) ? null : `croupier key set ${name}`;
    case 'chooseKey':
      return `croupier key choose ${name} ${action.key}`;
    case 'openEnvironment':
      return `croupier env show ${name}`;
    // That is a screen.
    case 'openDoctor':
    // Their targets are part of the same output.
    case 'openFindings':
    case 'openLauncher':
    case 'copyUrl':
      return null;
  }
}

/** Returns an explanation in plain text, as a member of a JSON document. */
export function explanationDocument(explanation: Explanation | null) {
  if (explanation === null) return null;
  const { title, facts, steps } = explanation;
  return { title: plainText(title), facts: facts.map(plainText), steps: steps.map(({ text }) => plainText(text)) };
}
