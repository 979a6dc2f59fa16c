import type { AnyNode } from 'acorn';
import { parseJson } from '#shared/json/parse.ts';
import { membersOf } from './members.ts';
import { createRequest, reasons, sourceRequest, type Losses, type Source, type SourceRequest } from './import-source.ts';
import { literalOf, partsOf } from './script-checks.ts';
import { literal } from './variable-names.ts';

/** Returns whether a text is calls of fetch, as the developer tools of browsers copy them. */
export function looksLikeFetch(text: string): boolean {
  return /^\s*(?:await[ \t]+)?fetch\(/.test(text);
}

const ofBrowser = 'Only a browser uses it.';

/** Reads calls of fetch with literal arguments, as Chrome, Edge, Firefox and Safari copy them for a page or for Node. */
export function readFetch(text: string, file: string, losses: Losses): Source {
  const requests: SourceRequest[] = [];
  const script = text.replace(/^[ \t]*await[ \t]+(?=fetch\()/gm, '');
  const found = partsOf(script).flatMap(({ source, statements }) =>
    (statements ?? [{ type: 'Program', start: 0, end: source.length } as const]).map((statement) => ({ statement, source })),
  );
  for (const { statement, source } of found) {
    const where = `${file}, call ${requests.length + 1}`;
    const call = statement.type === 'ExpressionStatement' ? statement.expression : statement;
    const isFetch = call.type === 'CallExpression' && call.callee.type === 'Identifier' && call.callee.name === 'fetch';
    const request = isFetch ? readCall(call.arguments, source, where) : null;
    if (request !== null) requests.push(request);
    else if (statement.type !== 'EmptyStatement') {
      const shown = source.slice(statement.start, statement.end).trim().slice(0, 60);
      losses.add(where, `the statement ${shown}`, 'Croupier imports only fetch calls with literal arguments.');
    }
  }
  return { format: 'fetch', requests, folders: [] };
}

function readCall([address, options]: readonly AnyNode[], source: string, where: string): SourceRequest | null {
  const url = literalOf(address);
  const parsed = options === undefined ? null : parseJson(source.slice(options.start, options.end));
  if (url?.type !== 'string' || parsed?.ok === false) return null;
  const request = createRequest(where);
  const own = parsed === null ? null : membersOf({ node: parsed.root, at: '' });
  const headers = own?.take('headers')?.node;
  for (const { key } of headers?.kind === 'object' ? headers.members : []) request.lose(`the header ${key}`, reasons.header);
  request.rawBody = own?.text('body') ?? null;
  request.method = own?.text('method') ?? 'GET';
  request.address = url.text;
  own?.rest(request.lose, ofBrowser);
  return sourceRequest(request, literal);
}
