import { AppError } from '#shared/errors.ts';
import type { CollectionExportFormat, Environment, ExportedFile, NotCarried, Output, ParsedInput } from '#shared/ipc/index.ts';
import { timeOrderOf } from '#shared/provider/index.ts';
import { assembleBody, type PreparedRequest } from '#shared/request/envelope.ts';
import { signRequest } from '../../calls/outgoing.ts';
import type { Pass, Passed } from '../../files/passed.ts';
import type { Collections } from '../../collections/collections.ts';
import { readPart, type CollectionPart } from '../write/collection-part.ts';
import { collectionHar, jsonHeaders, preparePart, type PreparedPart } from '../write/collection-har.ts';
import { brunoFiles } from '../write/bruno.ts';
import { postmanDocument } from '../write/postman.ts';
import { languages } from '../write/write-export.ts';
import type { ProgramFormat } from '#shared/model/formats.ts';
import { caVariable, programText, type Language, type ProgramCall } from '../write/program.ts';
import type { BodyPart } from '../write/recorded-call.ts';

type Exported = Output<'collections.export'> & { files: { readonly text: Passed<'export', string> }[] };

/** The environment variable that holds the key for an exported program. */
const keyVariable = 'CROUPIER_KEY';

export interface CollectionExportsDeps {
  readonly collections: Collections;
  /** Fails with `not_found`. */
  readonly environment: (id: string) => Environment;
  readonly pass: Pass;
  readonly digest: (environmentId: string, parts: readonly Uint8Array[]) => Promise<string>;
  readonly version: string;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Writes requests of a collection as other programs read them. Nothing is handed out before it was searched for every stored key.
 */
export function createCollectionExports(
  deps: CollectionExportsDeps,
): (input: ParsedInput<'collections.export'>) => Promise<Exported> {
  const writer = `Croupier ${deps.version}`;

  /** Result that a format makes of a part of a collection. */
  interface Written {
    readonly files: readonly ExportedFile[];
    readonly notCarried: NotCarried[];
  }
  type Writer = (part: CollectionPart, environment: Environment | null) => Written | Promise<Written>;

  /** Writes a program that signs by itself. */
  function programWriter(format: ProgramFormat): Writer {
    return (part, chosen) => {
      const environment = needed(chosen, format);
      const language = languages[format];
      const { requests, notCarried } = preparedPart(part, environment, deps.now());
      const text = signingProgram(requests, language, environment, writer);
      return {
        files: [{ name: `${fileName(part.name)}.${language.extension}`, mediaType: language.mediaType, text }],
        notCarried,
      };
    };
  }

  function brunoWriter(form: 'bruno' | 'opencollection'): Writer {
    return (part, environment) => {
      const environmentName = environment === null ? 'Provider' : fileName(environment.name);
      const { files, notCarried } = brunoFiles(part, { form, environment, environmentName, writer });
      const directory = fileName(part.name);
      return {
        files: files.map(({ name, text }) => ({ name: `${directory}/${name}`, mediaType: 'text/plain', text })),
        notCarried,
      };
    };
  }

  const writers: Readonly<Record<CollectionExportFormat, Writer>> = {
    postman(part, environment) {
      const { text, notCarried } = postmanDocument(part, { environment, writer });
      return {
        files: [{ name: `${fileName(part.name)}.postman_collection.json`, mediaType: 'application/json', text }],
        notCarried,
      };
    },
    bruno: brunoWriter('bruno'),
    opencollection: brunoWriter('opencollection'),
    async har(part, chosen) {
      const environment = needed(chosen, 'har');
      const now = deps.now();
      const { requests, notCarried } = preparedPart(part, environment, now);
      const { text, unsigned } = await collectionHar(requests, {
        now,
        version: deps.version,
        bodyOf: async (prepared) =>
          (await signRequest(prepared, (parts) => deps.digest(environment.id, parts))).body.toString('utf8'),
      });
      for (const path of unsigned)
        notCarried.push({
          where: path,
          what: 'its hash',
          why: `Croupier can't use the key of ${environment.name} now, so it wrote [hash].`,
          at: [],
        });
      return { files: [{ name: `${fileName(part.name)}.har`, mediaType: 'application/json', text }], notCarried };
    },
    curl: programWriter('curl'),
    php: programWriter('php'),
    node: programWriter('node'),
    python: programWriter('python'),
  };

  return async ({ id, path, format, environmentId }) => {
    const environment = environmentId === null ? null : deps.environment(environmentId);
    const part = await readPart(deps.collections, id, path);
    const { files, notCarried } = await writers[format](part, environment);
    const texts = files.map(({ text }) => text);
    const passed = await deps.pass('export', texts, {
      keyFound: (id) =>
        `Nothing was exported: the collection contains the private key of ${deps.environment(id).name}. Remove it; Croupier signs without it.`,
    });
    return { files: files.map((file) => ({ ...file, text: passed(file.text) })), notCarried };
  };
}

/** Returns the environment whose values a format holds. Fails with `invalid_input` if none was chosen. */
function needed(environment: Environment | null, format: CollectionExportFormat): Environment {
  if (environment !== null) return environment;
  throw new AppError('invalid_input', `Choose an environment: ${format} contains its values.`, {
    field: 'environmentId',
  });
}

/** Returns the requests with the values of an environment. Fails with `invalid_input` if none can be exported. */
function preparedPart(part: CollectionPart, environment: Environment, now: number): ReturnType<typeof preparePart> {
  const prepared = preparePart(part, environment, now);
  if (prepared.requests.length > 0) return prepared;
  const [first] = prepared.notCarried;
  throw new AppError(
    'invalid_input',
    first === undefined ? 'There is no request to export.' : `None of the requests can be exported. ${first.where}: ${first.why}`,
  );
}

/** Returns a name for every file system. */
function fileName(name: string): string {
  const plain = name
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 60);
  return plain === '' ? 'collection' : plain;
}

/** Writes the form that signs again, as for recorded calls: the script makes time and hash itself. */
function signingProgram(requests: readonly PreparedPart[], language: Language, environment: Environment, writer: string): string {
  const signs = requests.some(({ prepared }) => prepared.signed && !prepared.omitHash);
  const notes = [
    `Written by ${writer}. ${requests.length === 1 ? 'One request' : `${requests.length} requests`} of a collection, with the values of ${environment.name}.`,
    'The response goes to standard output, its HTTP status to standard error.',
    ...(signs ? [`The private key comes from the environment variable ${keyVariable}.`] : []),
    `To trust an extra certificate authority, set the environment variable ${caVariable} to its PEM file.`,
  ];
  const calls = requests.map(({ source, prepared }): ProgramCall => {
    const { hashOverride, signed } = prepared;
    const remarks = [
      `${source.path}: ${prepared.operation.name}.`,
      ...(signed ? [] : ['This method is not signed.']),
      ...(hashOverride === null ? [] : ['Its hash is wrong on purpose; this program corrects it.']),
      ...(source.request.overrides.time === undefined ? [] : ['Its time is set by hand; this program uses the current time.']),
    ];
    return {
      notes: remarks,
      url: new URL(prepared.url),
      headers: jsonHeaders,
      body: bodyOf(prepared, environment),
    };
  });
  return programText(language, calls, { notes, keyVariable: signs ? keyVariable : null });
}

function bodyOf(prepared: PreparedRequest, environment: Environment): ProgramCall['body'] {
  const { operation, before, between, after, dataJson, time, signed, omitHash } = prepared;
  if (!signed || omitHash) return assembleBody(prepared, null);
  const parts: BodyPart[] = [];
  const mark = `"time":${JSON.stringify(time ?? '')}`;
  const place = before.lastIndexOf(mark);
  if (place === -1) parts.push({ kind: 'text', text: before });
  else
    parts.push(
      { kind: 'text', text: `${before.slice(0, place)}"time":"` },
      { kind: 'time' },
      { kind: 'text', text: `"${before.slice(place + mark.length)}` },
    );
  if (dataJson !== null) parts.push({ kind: 'data', text: dataJson });
  parts.push({ kind: 'text', text: between }, { kind: 'hash' }, { kind: 'text', text: after });
  return {
    parts,
    data: dataJson,
    timeZone: new Intl.DateTimeFormat('en', { timeZone: environment.timeZone }).resolvedOptions().timeZone,
    timeOrder: timeOrderOf(operation, environment.answers),
  };
}
