import { membersOf, type Members } from './members.ts';
import { literal } from './variable-names.ts';
import { createLosses, reasons, type Losses, type Source, type SourceRequest } from './import-source.ts';

const recorded = 'It tells of the call that was recorded; a request keeps what is sent again.';

/** A HAR 1.2 archive, as browsers and proxies write it. */
export function readHar(root: Members, file: string, losses: Losses): Source {
  const log = root.object('log');
  const requests: SourceRequest[] = [];
  for (const item of log?.items('entries') ?? []) {
    const entry = membersOf(item);
    const own = entry?.object('request') ?? null;
    if (entry === null || own === null) losses.add(file, 'an entry without a request', 'There is nothing to send.', item.at);
    else requests.push(readEntry(entry, own, `${file}, entry ${requests.length + 1}`));
  }
  log?.rest(losses, file, recorded);
  root.rest(losses, file, recorded);
  return { format: 'har', requests, folders: [] };
}

function readEntry(entry: Members, own: Members, where: string): SourceRequest {
  const losses = createLosses();
  const address = own.text('url') ?? '';
  const method = own.text('method') ?? 'GET';
  for (const item of own.items('headers')) {
    losses.add(where, `the header ${membersOf(item)?.text('name') ?? ''}`, reasons.header, item.at);
  }
  const cookies = own.items('cookies');
  if (cookies.length > 0) losses.add(where, 'its cookies', reasons.auth, `${own.at}/cookies`);
  for (const item of own.items('queryString')) {
    losses.add(
      where,
      `the parameter ${membersOf(item)?.text('name') ?? ''} of the URL`,
      'The operations of this API have none.',
      item.at,
    );
  }
  const post = own.object('postData');
  const type = post?.text('mimeType') ?? '';
  if (post !== null && !/json|^text\/plain|^$/i.test(type))
    losses.add(where, `the type ${type} of the body`, 'Bodies of this API are JSON.', `${post.at}/mimeType`);
  let rawBody = post?.text('text') ?? null;
  if (post?.text('encoding') === 'base64' && rawBody !== null) rawBody = Buffer.from(rawBody, 'base64').toString('utf8');
  const params = post?.items('params') ?? [];
  if (params.length > 0)
    losses.add(where, 'the parameters of the body', 'Bodies of this API are JSON.', `${post?.at ?? ''}/params`);
  const unreadBody = rawBody === null && params.length > 0 ? 'Its body is a form. Bodies of this API are JSON.' : null;
  const notes = [entry.text('comment'), own.text('comment'), post?.text('comment')].filter(
    (note) => typeof note === 'string' && note !== '',
  );
  post?.rest(losses, where, recorded);
  own.rest(losses, where, recorded);
  entry.rest(losses, where, recorded);
  return {
    where,
    at: entry.at,
    folder: [],
    name: '',
    method,
    address: literal(address),
    body: rawBody === null ? null : literal(rawBody),
    rawBody,
    unreadBody,
    notes: notes.join('\n'),
    scripted: false,
    take: {},
    expect: [],
    examples: [],
    losses: losses.all(),
  };
}
