import { AppError } from '#shared/errors.ts';
import { measureJson } from '#shared/json/measure.ts';
import { describeSyntaxError, parseJson } from '#shared/json/parse.ts';
import type { ImportFormat } from '#shared/ipc/index.ts';
import { beyond } from '#shared/model/readers.ts';
import { excessOf } from '../../untrusted/measure.ts';
import { looksLikeCurl, readCurl } from './curl.ts';
import { readBruno, type NamedFile } from './bruno.ts';
import { looksLikeFetch, readFetch } from './fetch-calls.ts';
import { looksLikePowerShell, readPowerShell } from './powershell.ts';
import { readHar } from './har.ts';
import { readInsomnia, readInsomnia5 } from './insomnia.ts';
import { membersOf, type Members } from './members.ts';
import { readOpenApi, readOpenApiYaml } from './openapi.ts';
import { readOpenCollection } from './open-collection.ts';
import { readPostman, readPostmanEnvironment } from './postman.ts';
import { readYaml } from './yaml-members.ts';
import { importedKinds, type Losses, type Source } from './import-source.ts';

/** Reads each file by its format; the files of Bruno belong together. Fails with `invalid_input` if one has no known format. */
export function readFiles(files: readonly NamedFile[], losses: Losses): Source[] {
  const named = files.map(({ name, text }) => ({ name: name === '' ? 'the text' : name, text: text.replace(/^\ufeff/, '') }));
  const isCollection = (pattern: RegExp) => named.some(({ name }) => pattern.test(name));
  for (const file of named) if (file.name.endsWith('.bru') || !/^\s*[{[]/.test(file.text)) checkLines(file);
  if (isCollection(/\.bru$/)) return [readBruno(named, losses)];
  if (isCollection(/(?:^|\/)opencollection\.ya?ml$/)) return [readOpenCollection(named, losses)];
  return named.map((file) => readOne(file, losses));
}

/** A list of millions of lines is made in one step that no limit of memory can end. JSON is not taken apart by lines. */
function checkLines({ name, text }: NamedFile): void {
  let lines = 1;
  for (const character of text) if (character === '\n' || character === '\r') lines++;
  const excess = beyond('imports.plan', { lines });
  if (excess !== null) throw new AppError('invalid_input', `${name} ${excess}`);
}

function readOne(file: NamedFile, losses: Losses): Source {
  const { name, text } = file;
  const start = text.trimStart();
  if (start === '') throw new AppError('invalid_input', `${name} is empty.`);
  if (start.startsWith('{') || start.startsWith('[')) return readJson(file, losses);
  if (/^meta[ \t]*\{[ \t]*$/m.test(text) || /^vars(?::secret)?[ \t]*[{[][ \t]*$/m.test(text)) return readBruno([file], losses);
  if (/^type:[ \t]*["']?\w+\.insomnia\.rest\//m.test(text)) return readInsomnia5(file, losses);
  if (/^_type:[ \t]*["']?export\b/m.test(text)) return readInsomnia(text, readYaml(file), name, losses);
  if (/^["']?openapi["']?[ \t]*:/m.test(text)) return readOpenApiYaml(file, losses);
  if (/^["']?swagger["']?[ \t]*:/m.test(text)) throw olderApi(name);
  if (/^(?:opencollection|http|info)[ \t]*:/m.test(text) && !/^[ \t]*curl[ \t]/m.test(text))
    return readOpenCollection([file], losses);
  if (looksLikeFetch(text)) return readFetch(text, name, losses);
  if (looksLikePowerShell(text)) return readPowerShell(text, name, losses);
  if (looksLikeCurl(text)) return readCurl(text, name, losses);
  if (/\.ya?ml$/.test(name)) return readOpenCollection([file], losses);
  if (/\bfetch\(/.test(text))
    throw new AppError(
      'invalid_input',
      `${name} calls fetch with values from elsewhere. Croupier imports calls with literal values, as browsers' developer tools copy them.`,
    );
  throw new AppError('invalid_input', `${name} is in an unknown format. Croupier imports ${importedKinds()}.`);
}

function readJson({ name, text }: NamedFile, losses: Losses): Source {
  const bytes = Buffer.from(text, 'utf8');
  const excess = excessOf(bytes, name, 'Import a part of it.');
  if (excess !== null) throw new AppError('invalid_input', excess);
  const tooMany = beyond('imports.plan', { values: measureJson(bytes).values });
  if (tooMany !== null) throw new AppError('invalid_input', `${name} ${tooMany}`);
  const parsed = parseJson(text);
  if (!parsed.ok) {
    const { line, column } = parsed.error;
    throw new AppError('invalid_input', `${name} is not JSON: ${describeSyntaxError(parsed.error)}.`, { line, column });
  }
  const item = { node: parsed.root, at: '' };
  const root = membersOf(item);
  // A copy, because a member that was asked for counts as read.
  const members = membersOf(item);
  const format = members === null ? null : formatOf(members);
  if (members !== null && format === null && members.has('requests') && members.has('order'))
    throw new AppError('invalid_input', `${name} is a Postman 1 collection. Export it as Collection v2.1 and import that.`);
  if (members?.has('swagger') === true && members.has('paths')) throw olderApi(name);
  if (root === null || format === null)
    throw new AppError('invalid_input', `${name} is JSON in an unknown format. Croupier imports ${importedKinds()}.`);
  // The collection as Postman's interface hands it out.
  if (format === 'postman' && !root.has('item')) {
    const inner = root.object('collection');
    root.rest(losses.of(name), 'It is outside the collection.');
    if (inner !== null) return readPostman(text, inner, name, losses);
  }
  if (format === 'postman') return readPostman(text, root, name, losses);
  if (format === 'openapi') return readOpenApi(text, root, name, losses);
  if (format === 'insomnia') return readInsomnia(text, root, name, losses);
  return format === 'har' ? readHar(root, name, losses) : readPostmanEnvironment(text, root, name, losses);
}

function formatOf(root: Members): ImportFormat | null {
  if (root.text('_type') === 'export' && root.has('resources')) return 'insomnia';
  if (root.has('openapi') && (root.has('paths') || root.has('info'))) return 'openapi';
  if (root.object('log')?.has('entries') === true) return 'har';
  if (root.has('item') || root.object('collection')?.has('item') === true) return 'postman';
  return root.has('values') && (root.has('name') || root.has('_postman_variable_scope')) ? 'postman-environment' : null;
}

function olderApi(name: string): AppError {
  return new AppError('invalid_input', `${name} uses Swagger 2. Convert it to OpenAPI 3 and import that.`);
}
