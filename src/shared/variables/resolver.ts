import { parseJson } from '../json/parse.ts';
import type { TimeOrder } from '../signing/time.ts';
import { suggestion } from '../suggestion.ts';
import { generatedNames, type Generated } from './generated.ts';
import { findPlaceholders, shortName } from '../payload-text/placeholders.ts';
import type { Scopes, VariableSource } from './scopes.ts';
import { takersText } from './takers.ts';
import { meansKey } from '../secrets/secret-names.ts';

/** A value that is ready for substitution. */
export interface Resolved {
  readonly value: string;
  readonly source: VariableSource | 'generated';
  /** Returns the value as the inside of a JSON string, which escapes only control characters, quotes, backslashes and lone surrogates. */
  inJsonString(): string;
  isJson(): boolean;
}

/** `missing` is the name of the variable that has no value: the one that was asked for, or one inside its value. */
export type Resolution = { ok: true; resolved: Resolved } | { ok: false; message: string; missing?: string | undefined };

/** Resolves variables for one request. A variable has one value in the whole request, even if it contains generated ones. */
export type Resolver = ReturnType<typeof createResolver>;

/** Deepest nesting of variables inside the values of variables. */
const deepest = 20;
/** Longest value that contains variables, as long as a value in a file may be. */
const longest = 1_000_000;
/** Most unknown names for which to suggest a similar one. */
const mostSuggestions = 20;

/** `depth` is the deepest nesting of variables inside the value; `path` leads to the fault. */
type Found =
  | { ok: true; value: string; source: VariableSource; depth: number }
  | { ok: false; message: string; path: readonly string[]; missing?: string };

type Made = Pick<Extract<Found, { ok: true }>, 'ok' | 'value' | 'depth'> | Extract<Found, { ok: false }>;

const notDefined = ' Define it in the collection, or set it from an earlier response.';
const notTaken =
  ' No other readable request in the collection sets it. Define it in the collection, or set it from an earlier response.';

export function createResolver(scopes: Scopes, generated: Generated) {
  const done = new Map<string, Resolution>();
  const inner = new Map<string, Found>();
  let names: string[] | null = null;
  let suggestions = 0;

  function explainMissing(name: string): string {
    if (meansKey(name)) {
      return `${name} is not a variable: the private key stays in the keychain. It signs a request and is never part of one.`;
    }
    const takers = scopes.takers?.(name) ?? [];
    if (takers.length > 0) return `There is no variable ${shortName(name)} yet. ${takersText(takers)}`;
    names ??= [...scopes.all().map((variable) => variable.name), ...generatedNames];
    const near = suggestions++ < mostSuggestions ? suggestion(name, names) : '';
    const advice = scopes.takers === undefined ? notDefined : notTaken;
    return `There is no variable ${shortName(name)}.${near === '' ? advice : near}`;
  }

  /** Finds a value; `path` holds the variables being resolved, outermost first. */
  function find(name: string, timeOrder: TimeOrder, path: readonly string[]): Found {
    const here = [...path, name];
    if (path.includes(name)) {
      const message = "These variables refer to each other. Change one so that it doesn't use the others.";
      return { ok: false, message, path: here.slice(path.indexOf(name)) };
    }
    const known = inner.get(timeOrder + name);
    if (known !== undefined) return known;
    const variable = scopes.find(name);
    if (variable === null) return { ok: false, message: explainMissing(name), path: here, missing: name };
    const { source, value } = variable;
    if (!variable.mayHoldVariables || !value.includes('{{')) return { ok: true, source, value, depth: 0 };
    const made: Made = path.length < deepest ? compose(value, timeOrder, here) : tooDeep(here);
    if (!made.ok) return made;
    const depth = made.depth + 1;
    // A cached value keeps its depth, so that the order of uses does not matter.
    if (depth > deepest) return tooDeep(here);
    const found: Found = { ok: true, source, value: made.value, depth };
    // Only values are cached, because the message of a failure depends on the path to it.
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
        const words = `This value has more than ${longest.toLocaleString('en')} characters. Shorten its variables.`;
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
    variable(name: string, timeOrder: TimeOrder): Resolution {
      const known = done.get(timeOrder + name);
      if (known !== undefined) return known;
      const found = find(name, timeOrder, []);
      const resolution: Resolution = found.ok
        ? { ok: true, resolved: createResolved(found.value, found.source) }
        : {
            ok: false,
            missing: found.missing,
            message: found.path.length < 2 ? found.message : `${found.path.map(shortName).join(' → ')}: ${found.message}`,
          };
      done.set(timeOrder + name, resolution);
      return resolution;
    },
    generated(name: string, timeOrder: TimeOrder): Resolution {
      const result = generated.value(name, timeOrder);
      return result.ok ? { ok: true, resolved: createResolved(result.value, 'generated') } : result;
    },
  };
}

function tooDeep(path: readonly string[]): Extract<Found, { ok: false }> {
  return { ok: false, message: `Variables contain each other more than ${deepest} levels deep. Shorten the chain.`, path };
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
