import { VariableName, type Variables } from '#shared/collections/model.ts';
import { meansKey } from '#shared/secrets/secret-names.ts';
import { reasons, type Lose, type Losses } from './import-source.ts';

export type Names = ReturnType<typeof createNames>;

/** A variable as a file has it. */
interface GivenVariable {
  readonly name: string;
  readonly value: string;
  readonly at: string;
  readonly disabled: boolean;
}

/** Adds a variable under the name that it gets, or reports why it is left out; returns whether it was added. */
export function addVariable(
  variables: Variables,
  { name, value, at, disabled }: GivenVariable,
  { names, lose }: { readonly names: Names; readonly lose: Lose },
): boolean {
  const what = `the variable ${name}`;
  const isKey = meansKey(name);
  if (isKey || disabled) lose(what, isKey ? reasons.key : reasons.disabled, at);
  else {
    const own = names.nameOf(name);
    if (Object.hasOwn(variables, own)) lose(`an earlier value of ${what}`, 'Croupier uses the last one.', at);
    variables[own] = names.text(value);
  }
  return !isKey && !disabled;
}

/** A text in which `{{` means nothing. */
export function literal(text: string): string {
  return text.replaceAll('{{', '{{$braces}}');
}

/** Values that are made at each send there and here. */
const generated = new Map([
  ['$guid', '$uniqueId'],
  ['$randomUUID', '$uniqueId'],
]);
const braces = /\{\{([^{}]*)\}\}|\{\{/g;

/** Matches the values that are made at each send here. */
const ofOurs = /^\$(?:braces|hash|wrongHash|uniqueId(?::[\w.-]+)?|(?:time|now(?:[+-]\d+[smhdw])?)(?::(?:dmy|ymd))?)$/;

/**
 * Creates what writes the variables of another tool as ours, under names that ours can have; every name keeps its meaning in all texts. `where` names the
 * file or the collection; `tool` the other program. `ours`: Croupier wrote the file, so its generated values are known there.
 */
export function createNames(losses: Losses, where: string, tool: string, ours = false) {
  const names = new Map<string, string>();
  /** The names that are given already. */
  const used = new Set<string>();
  const told = new Set<string>();

  function once(name: string, what: string, why: string): void {
    if (told.has(name)) return;
    told.add(name);
    losses.add(where, what, why);
  }

  /** The name that a variable gets. */
  function nameOf(name: string): string {
    const known = names.get(name);
    if (known !== undefined) return known;
    const own = freeName(name);
    names.set(name, own);
    used.add(own);
    if (own !== name) once(name, `the name of the variable ${name}`, `Renamed to ${own} everywhere in this import.`);
    return own;
  }

  function freeName(name: string): string {
    if (VariableName.safeParse(name).success && !used.has(name)) return name;
    const plain = name.replace(/[^\w.-]/g, '_').slice(0, 80);
    const first = /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? first : `${first}_${number}`;
      if (!used.has(candidate)) return candidate;
    }
  }

  function placeholder(written: string): string {
    const name = written.trim();
    if (name === '') return `{{$braces}}${written}}}`;
    if (name.startsWith('$')) {
      const own = generated.get(name);
      if (own !== undefined) return `{{${own}}}`;
      once(name, `the generated value {{${name}}}`, `Croupier has no equivalent and won't send a request with it. Replace it.`);
      return /^\$[\w.:+-]*$/.test(name) ? `{{${name}}}` : `{{${nameOf(name)}}}`;
    }
    if (name.startsWith('process.env.')) {
      once(name, `the variable {{${name}}}`, `It comes from ${tool}'s environment. Set a variable of that name before you send.`);
    }
    if (meansKey(name)) once(name, `the variable {{${name}}}`, reasons.key);
    return `{{${nameOf(name)}}}`;
  }

  /** Leaves the variables of what Croupier wrote, where somebody may have added generated values. */
  function added(text: string): string {
    return text.replace(braces, (whole, inner: string | undefined) => {
      const name = inner?.trim() ?? '';
      return name.startsWith('$') && !ofOurs.test(name) ? placeholder(name) : whole;
    });
  }

  return {
    nameOf,
    /** A text whose `{{…}}` are variables there. */
    text: (text: string): string =>
      ours
        ? added(text)
        : text.replace(braces, (_, inner: string | undefined) => (inner === undefined ? '{{$braces}}' : placeholder(inner))),
  };
}
