import { parseJson } from '#shared/json/parse.ts';
import { membersOf, type Members } from './members.ts';
import { bareRequest, createLosses, reasons, type Losses, type Source, type SourceRequest } from './import-source.ts';
import { statementsOf, type Expression } from './script-tree.ts';
import { literal } from './variable-names.ts';

/** Returns whether a text is calls of fetch, as the developer tools of browsers copy them. */
export function looksLikeFetch(text: string): boolean {
  return /^\s*(?:await[ \t]+)?fetch\(/.test(text);
}

const ofBrowser = 'It tells a browser how to send; the workbench sends by itself.';

/** Reads calls of fetch with literal arguments, as Chrome, Edge, Firefox and Safari copy them for a page or for Node. */
export function readFetch(text: string, file: string, losses: Losses): Source {
  const requests: SourceRequest[] = [];
  const statements = statementsOf(text.replace(/^[ \t]*await[ \t]+(?=fetch\()/gm, ''));
  for (const statement of statements) {
    const where = `${file}, call ${requests.length + 1}`;
    const call = statement.kind === 'expression' && statement.value.kind === 'call' ? statement.value : null;
    const isFetch = call?.of.kind === 'name' && call.of.name === 'fetch';
    const request = call !== null && isFetch ? readCall(call.args, where) : null;
    if (request !== null) requests.push(request);
    else
      losses.add(where, `the statement ${statement.source.slice(0, 60)}`, 'Only calls of fetch with literal arguments are read.');
  }
  return { format: 'fetch', requests, folders: [] };
}

function readCall([address, options]: readonly Expression[], where: string): SourceRequest | null {
  if (address?.kind !== 'literal' || address.type !== 'string') return null;
  if (options !== undefined && (options.kind !== 'literal' || options.type !== 'json')) return null;
  const losses = createLosses();
  const parsed = options === undefined ? null : parseJson(options.text);
  const own: Members | null = parsed?.ok === true ? membersOf({ node: parsed.root, at: '' }) : null;
  const headers = own?.take('headers')?.node;
  for (const { key } of headers?.kind === 'object' ? headers.members : []) losses.add(where, `the header ${key}`, reasons.header);
  const body = own?.text('body') ?? null;
  const method = own?.text('method') ?? 'GET';
  own?.rest(losses, where, ofBrowser);
  return recordedRequest({ where, at: '', method, address: address.text, body, unreadBody: null, losses: losses.all() });
}

/** Returns a request whose texts hold no variables, with nothing around it. */
export function recordedRequest({
  address,
  body,
  ...own
}: Pick<SourceRequest, 'where' | 'at' | 'method' | 'address' | 'body' | 'unreadBody' | 'losses'>): SourceRequest {
  return {
    ...bareRequest(),
    ...own,
    address: literal(address),
    body: body === null ? null : literal(body),
    rawBody: body,
  };
}
