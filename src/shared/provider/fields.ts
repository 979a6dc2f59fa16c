import { AppError } from '../errors.ts';
import { setMember } from '../payload-text/edit.ts';
import { parseJson } from '../json/parse.ts';
import { formWith } from './forms.ts';
import type { Answers, Field, Operation } from './model.ts';

const wholeNumber = /^-?(?:0|[1-9]\d*)$/;
const anyNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Converts a field's value, typed as plain text, to JSON: the exact text for a string, the exact digits for a number, a JSON array
 * of strings for a list. Throws `invalid_input` that names the field.
 */
export function fieldValueJson(field: Field, valueText: string): string {
  switch (field.type) {
    case 'string':
      return JSON.stringify(valueText);
    case 'integer':
    case 'bigint':
      if (wholeNumber.test(valueText)) return valueText;
      throw wrong(field, valueText, 'an integer');
    case 'number':
      if (anyNumber.test(valueText)) return valueText;
      throw wrong(field, valueText, 'a number');
    case 'strings': {
      const result = parseJson(valueText);
      if (result.ok && result.root.kind === 'array' && result.root.items.every((item) => item.kind === 'string')) {
        return valueText.slice(result.root.start, result.root.end);
      }
      throw wrong(field, valueText, 'a JSON array of strings');
    }
    case 'boolean':
      if (valueText === 'true' || valueText === 'false') return valueText;
      throw wrong(field, valueText, 'true or false');
    case 'json':
      if (parseJson(valueText).ok) return valueText.trim();
      throw wrong(field, valueText, 'JSON');
  }
}

function wrong(field: Field, valueText: string, expected: string): AppError {
  const given = valueText.length <= 60 ? valueText : `${valueText.slice(0, 59)}…`;
  return new AppError('invalid_input', `${field.name} can't be "${given}". Use ${expected}, such as ${field.example}.`, {
    field: field.name,
  });
}

/**
 * Sets one field of a payload and keeps every other byte. If the spec does not show the fields, any name is accepted, with a value
 * that is JSON as typed, or otherwise a string. Throws `invalid_input` for a field that the form does not have, a value of another
 * type, and a payload that is not a JSON object.
 */
export function setField(
  operation: Operation,
  formId: string,
  text: string,
  name: string,
  valueText: string,
  answers: Answers = {},
): string {
  if (text.trim() !== '') {
    const result = parseJson(text);
    if (!result.ok || result.root.kind !== 'object') {
      throw new AppError('invalid_input', `${name} can't be set: the payload isn't a JSON object.`, {
        field: name,
      });
    }
  }
  const form = formWith(operation, formId, answers);
  if (form.open === true && !form.fields.some((candidate) => candidate.name === name)) {
    return setMember(text, name, parseJson(valueText).ok ? valueText.trim() : JSON.stringify(valueText));
  }
  const field = form.fields.find((candidate) => candidate.name === name);
  if (field === undefined) {
    const names = form.fields.map((candidate) => candidate.name).join(', ');
    throw new AppError('invalid_input', `The spec lists no field ${name} for ${operation.name}. Its fields here: ${names}.`, {
      field: name,
    });
  }
  return setMember(text, name, fieldValueJson(field, valueText));
}
