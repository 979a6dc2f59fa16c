import { isGeneral, jsonSchemas, openPointLines, ownPointLines, schemaName } from './json-schemas.ts';
import { operations } from './operations.ts';
import { routeOf } from './wire-form.ts';
import { openPointIds, type Answers, type Operation } from './model.ts';

const intro =
  'Made by Croupier from its contract. What the specification does not show is not in here: it stands as an open point in words, with the answer of the provider if one is recorded.';

/** Recorded answers, and the addresses of the environment that they are of; `walletUrl` is empty if the wallet is at the base URL. */
interface Described {
  readonly answers: Answers;
  readonly baseUrl: string;
  readonly walletUrl: string;
}

/** Returns the API as an OpenAPI 3.1 document, completed with recorded answers. */
export function openApiDocument({ answers, baseUrl, walletUrl }: Described): Readonly<Record<string, unknown>> {
  const byPath = new Map<string, Operation[]>();
  for (const operation of operations) {
    // An operation whose action the spec does not show still goes to the path of the others.
    const { path } = routeOf(operation, answers) ?? operation;
    byPath.set(path, [...(byPath.get(path) ?? []), operation]);
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Casino Game Integration API', version: '1.1.0', description: description(answers) },
    servers: [{ url: baseUrl }],
    // The signature is in the body: `hash`.
    security: [],
    tags: [...new Set(operations.map(({ group }) => group))].map((name) => ({ name })),
    paths: Object.fromEntries(
      [...byPath].map(([path, at]) => [
        path,
        {
          ...(walletUrl !== '' && at[0]?.endpoint === 'wallet' ? { servers: [{ url: walletUrl }] } : {}),
          post: post(path, at, answers),
        },
      ]),
    ),
    components: { schemas: jsonSchemas(answers) },
  };
}

/** Returns the API's schemas as one JSON Schema document (2020-12), each below `$defs`. */
export function jsonSchemaDocument(answers: Answers): Readonly<Record<string, unknown>> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Casino Game Integration API',
    description: description(answers),
    $defs: jsonSchemas(answers),
  };
}

function description(answers: Answers): string {
  return [intro, ...openPointLines(openPointIds.filter(isGeneral), answers)].join('\n');
}

function post(path: string, at: readonly Operation[], answers: Answers) {
  const content = (part: 'Request' | 'Response') => {
    const refs = at.map((operation) => ({ $ref: `#/components/schemas/${schemaName(operation, part)}` }));
    return { 'application/json': { schema: refs.length === 1 ? refs[0] : { anyOf: refs } } };
  };
  const [only] = at.length === 1 ? at : [];
  return {
    operationId: only?.name ?? path.slice(1).replace(/\W.*/, ''),
    tags: [...new Set(at.map(({ group }) => group))],
    summary: only?.summary ?? `One of ${at.length} operations, by its action.`,
    ...(only === undefined ? {} : { description: [...only.rules, ...ownPointLines(only, answers)].join('\n') }),
    requestBody: { required: true, content: content('Request') },
    // The spec does not state the HTTP status of a rejection (open point http.status).
    responses: { default: { description: 'Success and rejection, distinguished by code.', content: content('Response') } },
  };
}
