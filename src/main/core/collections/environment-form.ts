import { EnvironmentFile } from '#shared/collections/environment-file.ts';
import { AppError } from '#shared/errors.ts';
import { defaultEnvironment } from '#shared/model/default-environment.ts';
import { suggestion } from '#shared/suggestion.ts';
import { validateServicePath, storedSettings } from '../environments/validate-environment.ts';
import { createForm, type FileForm } from './collection-file.ts';
import { secretInEnvironment } from './environment-secrets.ts';
import { find } from './explain-yaml-issue.ts';
import type { UnknownName } from './unknown-names.ts';
import { faultAt, type MapNode, type TreeNode } from './yaml-tree.ts';

const { shape } = EnvironmentFile;
const names = Object.keys(shape);
const answerNames = ['value', 'date', 'evidence'];
/** Names of the fields that are in the home alone, by the way to set them there. */
const ofTheHome: ReadonlyMap<string, string> = new Map([
  ['playerId', 'each machine has its own player'],
  ['tokenCommand', 'each machine has its own token command'],
  ['name', 'the file name is the name'],
  ['id', 'each machine has its own'],
]);

const strict = createForm<EnvironmentFile>({
  schema: EnvironmentFile,
  names,
  strangersOf,
  isBoolean: (path) => path.length === 1 && path[0] === 'production',
  refuse: {
    text(source, root) {
      const found = secretInEnvironment(source, root);
      if (found !== null) throw faultAt(source, found.offset, found.message);
    },
    value(source, root, { baseUrl, walletUrl, timeZone, sameProviderAs, answers }) {
      if (sameProviderAs !== undefined && Object.keys(answers).length > 0)
        throw faultAt(
          source,
          find(root, ['answers']).node?.start ?? 0,
          'With sameProviderAs, recorded answers come from that environment. Move these answers into its file, or remove sameProviderAs.',
        );
      try {
        validateServicePath(storedSettings({ baseUrl, walletUrl, timeZone: timeZone || defaultEnvironment.timeZone }));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const { field } = error.details as { field: string };
        throw faultAt(source, find(root, [field]).node?.start ?? 0, error.message);
      }
    },
  },
});

/** One environment of a collection. An error about it repeats no line of the file: that may hold what must not be shown. */
export const environmentForm: FileForm<EnvironmentFile> = {
  read: (source) => withoutLines(() => strict.read(source)),
  print(value) {
    const text = strict.print(value);
    // What is read with an error must not be written.
    withoutLines(() => strict.read(text));
    return text;
  },
  edit: (source, value) => withoutLines(() => strict.edit(source, value)),
};

function withoutLines<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof AppError) || error.details === undefined) throw error;
    throw new AppError(error.code, error.message, { ...error.details, excerpt: '' });
  }
}

/** Names that nobody reads are refused, all of them: such a file decides where calls go. */
function strangersOf(root: MapNode): readonly UnknownName[] {
  const fieldOf = (name: string) => root.entries.find(({ key }) => key === name)?.value;
  const answers = fieldOf('answers');
  return [
    ...judge(root, names, 'an environment'),
    ...judge(fieldOf('defaults'), Object.keys(shape.defaults.def.innerType.shape), 'defaults'),
    ...judge(fieldOf('launchRules'), Object.keys(shape.launchRules.def.innerType.shape), 'launchRules'),
    ...(answers?.kind === 'map' ? answers.entries.flatMap(({ value }) => judge(value, answerNames, 'an answer')) : []),
  ].sort((one, other) => one.offset - other.offset);
}

function judge(node: TreeNode | undefined, known: readonly string[], place: string): UnknownName[] {
  if (node?.kind !== 'map') return [];
  return node.entries
    .filter(({ key }) => !known.includes(key))
    .map((entry) => {
      const home = ofTheHome.get(entry.key);
      const near = suggestion(entry.key, known);
      const why = home === undefined ? near || ' A newer version of Croupier may have written it.' : ` Remove it: ${home}.`;
      return {
        offset: entry.keyStart,
        message: `${JSON.stringify(entry.key.slice(0, 60))} is not a field of ${place}.${why}`,
        meant: true,
        unread: entry,
      };
    });
}
