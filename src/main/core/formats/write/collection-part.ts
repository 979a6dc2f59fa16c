import type { CollectionRequest, FolderSettings, Variables } from '#shared/collections/model.ts';
import { folderOf, nameOf } from '#shared/collections/file-names.ts';
import { AppError } from '#shared/errors.ts';
import type { NotCarried } from '#shared/ipc/index.ts';
import type { Collections } from '../../collections/collections.ts';

/** One request of a collection with what stands around it. */
export interface PartRequest {
  readonly kind: 'request';
  readonly path: string;
  readonly name: string;
  readonly request: CollectionRequest;
  /** The comments of its file, a line each. */
  readonly comments: readonly string[];
  /** Of the folders around it, outermost first, without the collection. */
  readonly folders: readonly Variables[];
}

export interface PartFolder {
  readonly kind: 'folder';
  readonly path: string;
  readonly name: string;
  readonly settings: FolderSettings;
  readonly items: readonly PartItem[];
}

export type PartItem = PartRequest | PartFolder;

/** A request, a folder or a whole collection, as it is exported. */
export interface CollectionPart {
  /** Name of the chosen collection, folder or request. */
  readonly name: string;
  readonly notes: string;
  /** Of the collection itself. */
  readonly variables: Variables;
  /** Folders around the chosen part that set variables, outermost first. */
  readonly around: readonly { readonly path: string; readonly variables: Variables }[];
  readonly items: readonly PartItem[];
  /** Files that cannot be read. */
  readonly unread: readonly NotCarried[];
}

const mostNames = 100;
/** Errors that concern one file: a link is refused. */
const unreadable: ReadonlySet<string> = new Set(['invalid_input', 'not_found', 'refused', 'storage']);

/** Reads it in the order in which it is shown. Fails with `not_found` if the path holds nothing of the collection. */
export async function readPart(collections: Collections, id: string, path: string): Promise<CollectionPart> {
  const { collection, nodes } = await collections.tree(id);
  const chosen = nodes.find((node) => node.path === path);
  if (path !== '' && chosen === undefined) throw new AppError('not_found', `${path} is not in the collection.`);
  const unread: NotCarried[] = (await collections.remarks(id))
    .filter((one) => one.path === '' || path === '' || one.path.startsWith(`${path}/`))
    .map((one) => ({ where: one.path === '' ? 'the collection' : one.path, what: 'its contents', why: one.words, at: [] }));
  const settings = new Map<string, FolderSettings>();

  async function settingsOf(folder: string): Promise<FolderSettings> {
    const known = settings.get(folder);
    if (known !== undefined) return known;
    const read = await orNothing(
      folder === '' ? 'the collection' : folder,
      'its settings',
      async () => (await collections.readFolder(id, folder)).settings,
    );
    const own = read ?? { variables: {}, order: [], notes: '' };
    settings.set(folder, own);
    if (read !== null)
      for (const comment of await collections.comments(id, folder))
        unread.push({
          where: folder === '' ? 'the collection' : folder,
          what: `the comment ${comment}`,
          why: 'Croupier exports only the comments of requests.',
          at: [],
        });
    return own;
  }

  async function orNothing<T>(where: string, what: string, read: () => Promise<T>): Promise<T | null> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof AppError) || !unreadable.has(error.code)) throw error;
      unread.push({ where, what, why: error.message, at: [] });
      return null;
    }
  }

  async function read(node: (typeof nodes)[number]): Promise<PartItem[]> {
    if (node.kind === 'folder') {
      const inside = nodes.filter((other) => folderOf(other.path) === node.path);
      const items = await readAll(inside);
      return [{ kind: 'folder', path: node.path, name: nameOf(node.path), settings: await settingsOf(node.path), items }];
    }
    const file = await orNothing(node.path, 'the request', () => collections.read(id, node.path));
    if (file === null) return [];
    if (file.unknown.length > 0) {
      const more = file.unknown.length - mostNames;
      const what = file.unknown.slice(0, mostNames).join(', ') + (more > 0 ? ` and ${more.toLocaleString('en')} more` : '');
      unread.push({ where: node.path, what, why: "This version of Croupier doesn't know it.", at: [] });
    }
    for (const { message, line, column } of file.warnings.filter(({ check }) => check))
      unread.push({ where: node.path, what: 'a check', why: `Line ${line}, column ${column}: ${message}`, at: [] });
    const folders: Variables[] = [];
    for (const folder of foldersAround(node.path)) folders.push((await settingsOf(folder)).variables);
    const comments = await collections.comments(id, node.path);
    return [{ kind: 'request', path: node.path, name: node.name, request: file.request, comments, folders }];
  }

  async function readAll(some: readonly (typeof nodes)[number][]): Promise<PartItem[]> {
    const items: PartItem[] = [];
    for (const node of some) items.push(...(await read(node)));
    return items;
  }

  const whole = await settingsOf('');
  const items = await readAll(chosen === undefined ? nodes.filter((node) => folderOf(node.path) === '') : [chosen]);
  const around: { path: string; variables: Variables }[] = [];
  for (const folder of foldersAround(path)) around.push({ path: folder, variables: (await settingsOf(folder)).variables });
  const only = items[0];
  return {
    name: chosen?.name ?? collection.name,
    notes: chosen === undefined ? whole.notes : '',
    variables: whole.variables,
    around,
    // A folder that was chosen is the whole of the export.
    items: chosen?.kind === 'folder' && only?.kind === 'folder' ? [only] : items,
    unread,
  };
}

/** All requests, folders within folders too. */
export function requestsOf(items: readonly PartItem[]): PartRequest[] {
  return items.flatMap((item) => (item.kind === 'request' ? [item] : requestsOf(item.items)));
}

/** Every folder, each before those in it. */
export function foldersOf(items: readonly PartItem[]): PartFolder[] {
  return items.flatMap((item) => (item.kind === 'folder' ? [item, ...foldersOf(item.items)] : []));
}

/** Paths of the folders around a path, outermost first, without the collection. */
function foldersAround(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
