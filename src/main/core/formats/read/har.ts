import { isUtf8 } from 'node:buffer';
import { formatJson } from '#shared/json/format.ts';
import { membersOf, type Item, type Members } from './members.ts';
import { addExample, onlyBodies } from './saved-responses.ts';
import { literal } from './variable-names.ts';
import {
  createRequest,
  reasons,
  sourceRequest,
  type Losses,
  type RequestDraft,
  type Source,
  type SourceRequest,
} from './import-source.ts';

const recorded = 'It describes the recorded call, not the request to send.';

/** A HAR 1.2 archive, as browsers and proxies write it. */
export function readHar(root: Members, file: string, losses: Losses): Source {
  const log = root.object('log');
  const requests: SourceRequest[] = [];
  // A copy for the look, because a member that was looked at counts as read.
  const ours = root.object('log')?.object('creator')?.text('name') === 'Croupier';
  for (const item of log?.items('entries') ?? []) {
    const entry = membersOf(item);
    const own = entry?.object('request') ?? null;
    if (entry === null || own === null) losses.add(file, 'an entry without a request', 'There is nothing to send.', item.at);
    else requests.push(readEntry(entry, own, `${file}, entry ${requests.length + 1}`, ours));
  }
  log?.rest(losses.of(file), recorded);
  root.rest(losses.of(file), recorded);
  return { format: 'har', requests, folders: [] };
}

/** `ours`: Croupier wrote the archive; the comment on a request of a collection is its path. */
function readEntry(entry: Members, own: Members, where: string, ours: boolean): SourceRequest {
  const request = createRequest(where, entry.at);
  const { lose } = request;
  request.address = own.text('url') ?? '';
  request.method = own.text('method') ?? 'GET';
  const named = (item: Item) => membersOf(item)?.text('name') ?? '';
  for (const item of own.items('headers')) lose(`the header ${named(item)}`, reasons.header, item.at);
  const cookies = own.items('cookies');
  if (cookies.length > 0) lose('its cookies', reasons.auth, `${own.at}/cookies`);
  for (const item of own.items('queryString')) lose(`the parameter ${named(item)} of the URL`, reasons.parameter, item.at);
  const post = own.object('postData');
  const type = post?.text('mimeType') ?? '';
  if (post !== null && !/json|^text\/plain|^$/i.test(type))
    lose(`the type ${type} of the body`, reasons.body, `${post.at}/mimeType`);
  const text = post?.text('text') ?? null;
  const isBase64 = post?.text('encoding') === 'base64' && text !== null;
  request.rawBody = isBase64 ? Buffer.from(text, 'base64').toString('utf8') : text;
  const params = post?.items('params') ?? [];
  if (params.length > 0) lose('the parameters of the body', reasons.body, `${post?.at ?? ''}/params`);
  if (text === null && params.length > 0) request.unreadBody = `Its body is a form. ${reasons.body}`;
  const comment = entry.text('comment') ?? '';
  const path = ours && comment.endsWith('.yaml') ? comment.slice(0, -'.yaml'.length).split('/') : null;
  const notes = [path === null ? comment : '', own.text('comment') ?? '', post?.text('comment') ?? ''];
  request.notes = notes.filter((note) => note !== '').join('\n');
  const response = entry.object('response');
  if (response !== null) readResponse(response, request);
  post?.rest(lose, recorded);
  own.rest(lose, recorded);
  entry.rest(lose, recorded);
  request.folder = path?.slice(0, -1) ?? [];
  request.name = path?.at(-1) ?? '';
  return sourceRequest(request, literal);
}

/** Makes a response that came an example; one that never came has the status 0. */
function readResponse(response: Members, { examples, lose }: RequestDraft): void {
  const status = response.text('status') ?? '';
  if (!/^[1-5]\d\d$/.test(status)) return;
  const content = response.object('content');
  const text = content?.text('text') ?? '';
  const bytes = content?.text('encoding') === 'base64' ? Buffer.from(text, 'base64') : null;
  if (bytes !== null && !isUtf8(bytes)) lose('its response', 'It is not text.', response.at);
  else {
    const body = bytes === null ? text : bytes.toString('utf8');
    addExample(examples, { name: `HTTP ${status}`, status, body: formatJson(body) }, response.at, lose);
    // A reason phrase and sizes add nothing to it.
    for (const name of ['statusText', 'httpVersion', 'headersSize', 'bodySize', 'redirectURL']) response.text(name);
    for (const name of ['size', 'mimeType', 'compression']) content?.text(name);
    content?.rest(lose, onlyBodies);
  }
  response.rest(lose, onlyBodies);
}
