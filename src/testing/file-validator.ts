import { Ajv, type ValidateFunction } from 'ajv';
import { parseDocument } from 'yaml';
import { fileSchemas } from '#shared/collections/file-schemas.ts';
import type { SchemaName } from '#shared/collections/file-names.ts';

let validators: Readonly<Record<string, ValidateFunction>> | null = null;

/** Returns what an editor says of a file with the schema of that name, by other libraries than Croupier's reader; none if it is right. */
export function editorProblems(name: SchemaName, source: string): string[] {
  validators ??= compiled();
  const document = parseDocument(source);
  if (document.errors.length > 0) return document.errors.map(({ message }) => message);
  const validate = validators[name];
  if (validate === undefined) throw new Error(`There is no schema ${name}.`);
  if (validate(document.toJS() ?? {})) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function compiled(): Readonly<Record<string, ValidateFunction>> {
  const ajv = new Ajv({ strict: true, strictTypes: false, allErrors: true });
  return Object.fromEntries(Object.entries(fileSchemas()).map(([name, schema]) => [name, ajv.compile(schema)]));
}
