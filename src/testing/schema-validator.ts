import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { jsonSchemaDocument, openApiDocument, operations, routeOf, type Answers } from '#shared/provider/index.ts';

// One for all, because it compiles the schema of schemas.
const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allErrors: true,
  formats: { int64: true },
});
ajv.addVocabulary(['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'components', 'discriminator']);
let documents = 0;

/** An independent validator's words about a text, by what `croupier operations --as` prints; none if it is right. */
export interface SchemaValidator {
  /** By the JSON Schema of that name, as `BetRequest`. */
  named(name: string, text: string): string[];
  /** By the OpenAPI document: the body of a request to a path, whatever its operation. */
  sent(path: string, text: string): string[];
  /** A response by the schema of its operation, and its request if it was accepted. */
  exchange(path: string, request: string, response: string): string[];
}

/** Makes a validator with these recorded answers. It refuses a schema that is not one, too. */
export function createSchemaValidator(answers: Answers = {}): SchemaValidator {
  const compiled = new Map<string, ValidateFunction>();
  const schemas = lazily(() => jsonSchemaDocument(answers));
  const api = lazily(() => openApiDocument({ answers, baseUrl: 'https://api.example', walletUrl: '' }));

  function judge(reference: string, text: string): string[] {
    const validate = compiled.get(reference) ?? ajv.getSchema(reference);
    if (validate === undefined) throw new Error(`There is no schema ${reference}.`);
    compiled.set(reference, validate);
    return validate(JSON.parse(text))
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }

  const named = (name: string, text: string) => judge(`${schemas()}#/$defs/${name}`, text);
  const sent = (path: string, text: string) =>
    judge(`${api()}#/paths/${path.replaceAll('/', '~1')}/post/requestBody/content/application~1json/schema`, text);
  return {
    named,
    sent,
    exchange(path, request, response) {
      const operation = operations.find((one) => {
        const route = routeOf(one, answers);
        return route?.path === path && (route.action === null || request.includes(`"action":"${route.action}"`));
      });
      if (operation === undefined) return named('ServiceRejection', response);
      const [first = ''] = operation.name;
      const problems = named(`${first.toUpperCase()}${operation.name.slice(1)}Response`, response);
      return (JSON.parse(response) as { code: unknown }).code === 0 ? [...problems, ...sent(path, request)] : problems;
    },
  };
}

/** Gives a document, as it is printed, to the validator when it is first asked for; returns its name there. */
function lazily(make: () => object): () => string {
  let name: string | undefined;
  return () => {
    if (name !== undefined) return name;
    name = `document-${++documents}`;
    ajv.addSchema(JSON.parse(JSON.stringify(make())) as object, name);
    return name;
  };
}
