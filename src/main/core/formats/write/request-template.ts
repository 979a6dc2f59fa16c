import type { CollectionRequest, Variables } from '#shared/collections/model.ts';
import type { Environment } from '#shared/ipc/index.ts';
import { isBlank } from '#shared/json/parse.ts';
import { operationByName, routeOf, serializationOf, timeOrderOf, type Operation } from '#shared/provider/index.ts';
import { serializeData } from '#shared/signing/serialize.ts';
import { findPlaceholders } from '#shared/payload-text/placeholders.ts';
import { environmentVariables } from '#shared/variables/scopes.ts';
import { namesUsed } from '#shared/variables/substitute-request.ts';
import { meansKey } from '#shared/secrets/secret-names.ts';
import { requestsOf, type CollectionPart } from './collection-part.ts';

export type TemplateContext = ReturnType<typeof templateContext>;

/** Returns the environment that a collection of another tool is made for, and the parts that the tool cannot express. */
export function templateContext(part: CollectionPart, environment: Environment | null) {
  const notCarried = [...part.unread];
  return {
    environment,
    serialization: environment === null ? ('php' as const) : serializationOf(environment),
    notCarried,
    lose: (where: string, what: string, why: string) => void notCarried.push({ where, what, why, at: [] }),
  };
}

/** Returns a request with its variables still in it, for a tool that signs by a script; reports the parts that no body can say. */
export function requestTemplate(request: CollectionRequest, where: string, context: TemplateContext) {
  const operation = operationByName(request.operation);
  const route = routeOf(operation, context.environment?.answers ?? {});
  return {
    operation,
    /** Variable of the URL in front of its path. */
    base: operation.endpoint === 'wallet' ? '{{walletUrl}}' : '{{baseUrl}}',
    path: route?.path ?? operation.path,
    body: bodyOf(request, operation, where, context),
  };
}

/** Returns the values of the environment that the requests use, without those that the collection has itself. */
export function ownVariables(part: CollectionPart, environment: Environment | null, variables: Variables): Variables {
  const used = new Set(requestsOf(part.items).flatMap(({ request }) => [...namesUsed(request)]));
  const own: Variables =
    environment === null ? emptyVariables : { ...environmentVariables(environment), timeZone: environment.timeZone };
  const needed = new Set(['baseUrl', 'walletUrl', 'platform', 'partnerId', 'timeZone']);
  return Object.fromEntries(
    Object.entries(own).filter(([name]) => (used.has(name) || needed.has(name)) && !Object.hasOwn(variables, name)),
  );
}

/** The body with variables in it; `data` as the environment writes it. */
function bodyOf(request: CollectionRequest, operation: Operation, where: string, context: TemplateContext): string {
  const { environment, lose } = context;
  const route = routeOf(operation, environment?.answers ?? {});
  if (route?.signed === false) return isBlank(request.data) ? '' : request.data;
  const { overrides } = request;
  const omitted = new Set<string>(overrides.omit ?? []);
  const lines: string[] = [];
  const put = (name: string, value: string) => {
    if (!omitted.has(name)) lines.push(`  "${name}": ${value}`);
  };
  if (route === null && !omitted.has('action'))
    lose(
      where,
      'its action',
      `The spec doesn't show the action name of ${operation.name}, and no environment has it recorded. Add it by hand.`,
    );
  const order = timeOrderOf(operation, environment?.answers ?? {});
  // A path of its own replaces the action.
  if (route?.action !== null) put('action', JSON.stringify(route?.action ?? ''));
  put('platform', overrides.platform ?? '{{platform}}');
  put('partnerId', overrides.partnerId ?? '{{partnerId}}');
  put('time', overrides.time === undefined ? `"{{$time${order === 'ymd' ? ':ymd' : ''}}}"` : JSON.stringify(overrides.time));
  if (omitted.has('time') && !omitted.has('hash'))
    lose(where, 'the hashed time', 'The body has no time, so the script hashes the current time, day first.');
  const inEnvelope = operation.payload === 'envelope';
  if (!inEnvelope && !isBlank(request.data)) put('data', writtenData(request.data, where, context));
  put('hash', hashOf(overrides.hash));
  const extra = inEnvelope
    ? request.data
        .trim()
        .replace(/^\{\s*/, '')
        .replace(/\s*\}$/, '')
    : '';
  if (extra !== '') lines.push(`  ${extra}`);
  return `{\n${lines.join(',\n')}\n}`;
}

function hashOf(override: string | undefined): string {
  if (override === undefined) return '"{{$hash}}"';
  return override === 'wrong' ? '"{{$wrongHash}}"' : JSON.stringify(override);
}

/** The text of `data` as it is hashed, with its variables still in it. */
function writtenData(text: string, where: string, { serialization, lose }: TemplateContext): string {
  // Each variable outside of strings becomes a number that stands nowhere else, and comes back afterwards.
  const marks = new Map<string, string>();
  let next = 700_000_000_000_000;
  let marked = '';
  let from = 0;
  for (const { kind, start, end, inString } of findPlaceholders(text, 'json')) {
    if (inString || kind === 'malformed') continue;
    while (text.includes(String(next))) next++;
    marks.set(String(next), text.slice(start, end));
    marked += text.slice(from, start) + String(next++);
    from = end;
  }
  marked += text.slice(from);
  const written = serializeData(marked, serialization);
  if (!written.ok) {
    const why = `It is not JSON, so Croupier exported it as typed: ${written.error.message}.`;
    lose(where, 'the serialization of its data', why);
    return text;
  }
  return written.dataJson.replace(/7\d{14}/g, (digits) => marks.get(digits) ?? digits);
}

/** Returns the variables that may be in an export; reports the others if somebody listens. */
export function withoutKeys(variables: Variables, lose: (what: string, why: string) => void = () => undefined): Variables {
  for (const name of Object.keys(variables).filter(meansKey))
    lose(`the variable ${name}`, 'Exports never contain the private key.');
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !meansKey(name)));
}

const emptyVariables: Variables = {
  baseUrl: '',
  walletUrl: '',
  platform: '',
  partnerId: '',
  timeZone: 'UTC',
  currency: '',
  lang: '',
  country: '',
  ip: '',
  exitURL: '',
  playerId: '',
  environmentName: '',
};
