import { parseJson } from '../json/parse.ts';
import type { TimeOrder } from '../signing/time.ts';
import { suggestion } from '../suggestion.ts';
import { generatedNames, type Generated } from './generated.ts';
import { findPlaceholders, shortName } from '../payload-text/placeholders.ts';
import type { Scopes, VariableSource } from './scopes.ts';
import { meansKey } from '../secrets/secret-names.ts';

/** A value that is ready to be put in. */
export interface Resolved {
  readonly value: string;
  readonly source: VariableSource | 'generated';
  /** The value as the inside of a JSON string: slashes and all but control characters, quotes, backslashes and lone surrogates are bare. */
  inJsonString(): string;
  isJson(): boolean;
}

export type Resolution = { ok: true; resolved: Resolved } | { ok: false; message: string };

/** Gives the values for one request. A variable has one value in all of it, also where it is made of generated ones. */
export interface Resolver {
  variable(name: string, timeOrder: TimeOrder): Resolution;
  generated(name: string, timeOrder: TimeOrder): Resolution;
}

/** So deep may variables be made of variables that are made of variables. */
const deepest = 20;
/** Longest value that is made of others: as long as one in a file may be. */
const longest = 1_000_000;
/** Names for which near ones are looked up: nobody reads more. */
const mostSuggestions = 20;

/** `depth` counts the variables below it that it is made of, along the longest way; `path` leads to what is wrong. */
type Found =
  | { ok: true; value: string; source: VariableSource; depth: number }
  | { ok: false; message: string; path: readonly string[] };

type Made = Pick<Extract<Found, { ok: true }>, 'ok' | 'value' | 'depth'> | Extract<Found, { ok: false }>;

export function createResolver(scopes: Scopes, generated: Generated): Resolver {
  const done = new Map<string, Resolution>();
  const inner = new Map<string, Found>();
  let names: string[] | null = null;
  let suggestions = 0;

  function explainMissing(name: string): string {
    if (meansKey(name)) {
      return `${name} is not a variable: the private key stays in the keychain. It signs the request and never stands in one.`;
    }
    names ??= [...scopes.all().map((variable) => variable.name), ...generatedNames];
    const near = suggestions++ < mostSuggestions ? suggestion(name, names) : '';
    return `There is no variable ${shortName(name)}.${near === '' ? ' Define it in the collection, or take it from an earlier response.' : near}`;
  }

  /** `path` holds the variables that are being made, outermost first. */
  function find(name: string, timeOrder: TimeOrder, path: readonly string[]): Found {
    const here = [...path, name];
    if (path.includes(name)) {
      const message = 'These variables need each other. Give one of them a value of its own.';
      return { ok: false, message, path: here.slice(path.indexOf(name)) };
    }
    const known = inner.get(timeOrder + name);
    if (known !== undefined) return known;
    const variable = scopes.find(name);
    if (variable === null) return { ok: false, message: explainMissing(name), path: here };
    const { source, value } = variable;
    if (!variable.mayHoldVariables || !value.includes('{{')) return { ok: true, source, value, depth: 0 };
    const made: Made = path.length < deepest ? compose(value, timeOrder, here) : tooDeep(here);
    if (!made.ok) return made;
    const depth = made.depth + 1;
    // A value that was made before comes with its depth, so that the order of the uses does not matter.
    if (depth > deepest) return tooDeep(here);
    const found: Found = { ok: true, source, value: made.value, depth };
    // Only values are kept: the words of a failure depend on the way that led to it.
    inner.set(timeOrder + name, found);
    return found;
  }

  function compose(template: string, timeOrder: TimeOrder, path: readonly string[]): Made {
    const parts: string[] = [];
    let length = 0;
    let from = 0;
    let depth = 0;
    for (const { kind, name, start, end, message } of findPlaceholders(template, 'plain')) {
      if (kind === 'malformed') return { ok: false, message, path: [...path, '{{'] };
      const made: Made = kind === 'variable' ? find(name, timeOrder, path) : generate(name, timeOrder, path);
      if (!made.ok) return made;
      const before = template.slice(from, start);
      length += before.length + made.value.length;
      if (length > longest) {
        const words = `This value has become longer than ${longest.toLocaleString('en')} characters. Make it of less.`;
        return { ok: false, message: words, path };
      }
      parts.push(before, made.value);
      depth = Math.max(depth, made.depth);
      from = end;
    }
    return { ok: true, value: parts.join('') + template.slice(from), depth };
  }

  function generate(name: string, timeOrder: TimeOrder, path: readonly string[]): Made {
    const result = generated.value(name, timeOrder);
    return result.ok ? { ...result, depth: 0 } : { ...result, path: [...path, name] };
  }

  return {
    variable(name, timeOrder) {
      const known = done.get(timeOrder + name);
      if (known !== undefined) return known;
      const found = find(name, timeOrder, []);
      const resolution: Resolution = found.ok
        ? { ok: true, resolved: createResolved(found.value, found.source) }
        : {
            ok: false,
            message: found.path.length < 2 ? found.message : `${found.path.map(shortName).join(' → ')}: ${found.message}`,
          };
      done.set(timeOrder + name, resolution);
      return resolution;
    },
    generated(name, timeOrder) {
      const result = generated.value(name, timeOrder);
      return result.ok ? { ok: true, resolved: createResolved(result.value, 'generated') } : result;
    },
  };
}

function tooDeep(path: readonly string[]): Extract<Found, { ok: false }> {
  return { ok: false, message: `Variables are made of each other more than ${deepest} deep. Shorten the chain.`, path };
}

const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function createResolved(value: string, source: Resolved['source']): Resolved {
  let escaped: string | null = null;
  let json: boolean | null = null;
  return {
    value,
    source,
    inJsonString: () => (escaped ??= JSON.stringify(value).slice(1, -1)),
    isJson: () => (json ??= plainNumber.test(value) || parseJson(value).ok),
  };
}
