import { isGeneral, jsonSchemas, openPointLines, ownPointLines, schemaName } from './json-schemas.ts';
import { operationByName, operations } from './operations.ts';
import { actionOf, actionPointOf, routeOf } from './wire-form.ts';
import { openPointIds, type Answers, type Operation } from './model.ts';

const intro = [
  'Made by Croupier from its contract. A line that begins with "Open" is a question to the provider, which the specification does not answer; one that begins with "Recorded" is what the provider answered.',
  'The schemas refuse what the specification forbids, and nothing that it leaves open. Fields that it does not list are not refused.',
  'They cannot see whether a hash is right, whether a value is unique per platform, whether a year has a 29 February, and how many characters the values of a list have together.',
];

const at = '#/components/schemas/';

/** Recorded answers, and the addresses of the environment that they are of; `walletUrl` is empty if the wallet is at the base URL. */
interface Described {
  readonly answers: Answers;
  readonly baseUrl: string;
  readonly walletUrl: string;
}

/** Returns the API as an OpenAPI 3.1 document, completed with recorded answers. */
export function openApiDocument({ answers, baseUrl, walletUrl }: Described): Readonly<Record<string, unknown>> {
  const byPath = new Map<string, Operation[]>();
  const hidden: Operation[] = [];
  for (const operation of operations) {
    const route = routeOf(operation, answers);
    // Without its action, nothing selects it: a schema of it would accept the misspelt action of any other.
    if (route === null) hidden.push(operation);
    else byPath.set(route.path, [...(byPath.get(route.path) ?? []), operation]);
  }
  const schemas = Object.entries(jsonSchemas(answers, at));
  const unused = new Set(hidden.flatMap((operation) => [schemaName(operation, 'Request'), schemaName(operation, 'Response')]));
  return {
    openapi: '3.1.1',
    info: { title: 'Casino Game Integration API', version: '1.1.0', description: description(answers) },
    servers: [{ url: baseUrl }],
    // The signature is in the body: `hash`.
    security: [],
    tags: [...new Set(operations.map(({ group }) => group))].map((name) => ({ name })),
    paths: Object.fromEntries(
      [...byPath].map(([path, own]) => [
        path,
        {
          ...(walletUrl !== '' && own[0]?.endpoint === 'wallet' ? { servers: [{ url: walletUrl }] } : {}),
          post: post(path, own, hidden, answers),
        },
      ]),
    ),
    components: { schemas: Object.fromEntries(schemas.filter(([name]) => !unused.has(name))) },
  };
}

/** Returns the API's schemas as one JSON Schema document (2020-12), each below `$defs`. */
export function jsonSchemaDocument(answers: Answers): Readonly<Record<string, unknown>> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Casino Game Integration API',
    description: `${description(answers)}\nEach request and response has its schema below $defs, as #/$defs/${schemaName(operationByName('bet'), 'Request')}.`,
    $defs: jsonSchemas(answers, '#/$defs/'),
  };
}

function description(answers: Answers): string {
  return [...intro, ...openPointLines(openPointIds.filter(isGeneral), answers)].join('\n');
}

function post(path: string, own: readonly Operation[], hidden: readonly Operation[], answers: Answers) {
  const refs = (part: 'Request' | 'Response') => own.map((operation) => ({ $ref: at + schemaName(operation, part) }));
  const content = (schema: unknown) => ({ 'application/json': { schema } });
  const [only] = own.length === 1 ? own : [];
  const ends = {
    operationId: only?.name ?? path.slice(1).replace(/\W.*/, ''),
    tags: [...new Set(own.map(({ group }) => group))],
  };
  // The spec does not state the HTTP status of a rejection (open point http.status).
  const answered = 'Success and rejection, distinguished by code.';
  if (only !== undefined)
    return {
      ...ends,
      summary: only.summary,
      description: [...only.rules, ...ownPointLines(only, answers)].join('\n'),
      requestBody: { required: true, content: content({ $ref: at + schemaName(only, 'Request') }) },
      responses: { default: { description: answered, content: content({ $ref: at + schemaName(only, 'Response') }) } },
    };
  const mapping = Object.fromEntries(
    own.map((operation) => [actionOf(operation, answers), at + schemaName(operation, 'Request')]),
  );
  const waiting = hidden.flatMap((operation) =>
    operation.path === path ? `${operation.name} (${actionPointOf(operation)})` : [],
  );
  return {
    ...ends,
    summary: `One of ${own.length} operations, by its action.`,
    description: [
      'The schema of a response is that of the action that was sent; any of them is accepted here.',
      ...(waiting.length === 0 ? [] : [`Not in here until the action is recorded: ${waiting.join(', ')}.`]),
    ].join('\n'),
    requestBody: {
      required: true,
      content: content({ oneOf: refs('Request'), discriminator: { propertyName: 'action', mapping } }),
    },
    responses: { default: { description: answered, content: content({ anyOf: refs('Response') }) } },
  };
}
