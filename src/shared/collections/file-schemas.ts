import { deviceFileSchema } from '../model/device.ts';
import { z } from '../model/schema.ts';
import { EnvironmentFile } from './environment-file.ts';
import type { SchemaName } from './file-names.ts';
import { formatField } from './format.ts';
import { CollectionRequest, FolderSettings, RequestExample } from './model.ts';

/*
 * JSON Schemas of the files that people write, for editors. They are made of the schemas by which Croupier reads the files, so that neither
 * knows a field that the other does not. Draft 7: editors know it best.
 */

type Json = Record<string, unknown>;

/** Each field of a file in a few words. A total map: a new field does not compile until it is described. */
type Words<Fields> = { readonly [Name in keyof Fields]-?: string };

const requestWords: Words<CollectionRequest> = {
  operation: "One of the provider's operations",
  form: "One of the operation's forms; empty for the first",
  tags: 'Names by which a run selects requests',
  data: 'The payload as text, byte for byte, with variables such as {{player}}',
  overrides: 'Deliberate faults for negative tests',
  take: 'Variables for later requests, each with a JSON Pointer or JSONPath into the response',
  expect: 'Checks of the response; the first member is the kind',
  notes: 'Free text',
  examples: 'Saved responses, for people to read',
};
const settingsWords: Words<FolderSettings> = {
  variables: 'Variables of the requests in this folder',
  order: 'Files and folders in the order they run; the rest follow by name',
  notes: 'What everybody should know',
};
const environmentWords: Words<EnvironmentFile> = {
  baseUrl: 'https URL; Croupier adds /serviceApi.php',
  walletUrl: 'https URL of the wallet methods; empty: the base URL',
  platform: 'Platform ID',
  partnerId: 'Partner ID',
  production: 'true if its calls are real: Croupier then asks before it sends',
  timeZone: 'Zone of the time field, such as Europe/Berlin',
  serialization: 'How data is serialized for the hash',
  ca: 'A .pem file in this folder, of an extra certificate authority',
  defaults: 'First values of fields in new requests',
  launchRules: 'Limits and known noise for the verdicts of launches',
  sameProviderAs: 'Another environment of the same provider, which has the recorded answers of both',
  answers: "The provider's answers to open points, by their IDs",
};

/** Number forms of texts that a pattern alone describes. */
const numberForms = new Map<unknown, Json>([
  [EnvironmentFile.shape.platform, { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }],
  [EnvironmentFile.shape.launchRules.def.innerType.shape.readyWithin.def.innerType, { minimum: 1, maximum: 600 }],
  [RequestExample.shape.status, { minimum: 100, maximum: 599 }],
]);

/** Types of bare words in YAML, each with texts of which a field takes one if it takes that type. */
const bare = { integer: ['5', '200'], number: ['0.5'], boolean: ['true'], null: [''] } as const;

/** Adds types of bare words to a schema. */
function alsoOf(json: Json, types: readonly string[]): void {
  const all = [...new Set([json['type'], types].flat())];
  json['type'] = all.includes('number') ? all.filter((type) => type !== 'integer') : all;
  if (Array.isArray(json['enum']) && all.includes('null')) json['enum'] = [...new Set([...(json['enum'] as unknown[]), null])];
}

/**
 * Lets a text of the model be any bare word that the reader takes for its text: `0` is a code and `no` a note, although YAML has a number and a boolean
 * there.
 */
function asInYaml(schema: z.core.$ZodType, json: Json): void {
  if (json['type'] !== 'string' || 'const' in json) return;
  const words: unknown = json['enum'];
  if (Array.isArray(words)) return words.includes('null') ? alsoOf(json, ['null']) : undefined;
  const takes = (texts: readonly string[]) => texts.some((text) => z.safeParse(schema, text).success);
  alsoOf(
    json,
    Object.entries(bare).flatMap(([type, texts]) => (takes(texts) ? [type] : [])),
  );
  Object.assign(json, numberForms.get(schema));
}

/** Makes the schema of a YAML file whose fields have these words. */
function yamlSchema(title: string, model: z.ZodMiniType, words: Readonly<Record<string, string>>): Json {
  const schema = z.toJSONSchema(model, {
    target: 'draft-7',
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => asInYaml(zodSchema, jsonSchema),
  }) as Json & { readonly properties: Record<string, Json>; readonly required?: string[] };
  for (const [name, field] of Object.entries(schema.properties)) {
    field['description'] = words[name];
    // An empty value counts as missing.
    if (schema.required?.includes(name) !== true) alsoOf(field, ['null']);
  }
  return { ...schema, title };
}

/** Makes the schema of every kind of file, by the name of its own file. */
export function fileSchemas(): Readonly<Record<SchemaName, Json>> {
  const settings = yamlSchema('Settings of a folder', FolderSettings, settingsWords) as Json & { readonly properties: Json };
  const format = { type: ['integer', 'string'], minimum: 1, pattern: '^[1-9]\\d{0,8}$', description: 'The version of all files' };
  return {
    request: yamlSchema('A request', CollectionRequest, requestWords),
    collection: { ...settings, title: 'Settings of a collection', properties: { [formatField]: format, ...settings.properties } },
    folder: settings,
    environment: yamlSchema('An environment of a team', EnvironmentFile, environmentWords),
    devices: { ...z.toJSONSchema(deviceFileSchema(), { target: 'draft-7', io: 'input' }), title: 'Devices' },
  };
}
