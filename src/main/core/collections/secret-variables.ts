import { VariableName } from '#shared/collections/model.ts';
import { sessionVariable } from '#shared/provider/tokens.ts';

/**
 * Returns a function that names the variable for a secret's field and value, one for each value of a name, so that requests that shared
 * a token still share it; `taken` are names in use.
 */
export function createSecretNames(taken: Iterable<string>): (name: string, value: string) => string {
  const used = new Set(taken);
  const given = new Map<string, string>();
  return (name, value) => {
    const plain =
      sessionVariable(name) ??
      (VariableName.safeParse(name).success ? name : `secret_${name.replace(/[^\w.-]/g, '_').slice(0, 60)}`);
    const id = JSON.stringify([plain, value]);
    const known = given.get(id);
    if (known !== undefined) return known;
    let free = plain;
    for (let number = 2; used.has(free); number++) free = `${plain}_${number}`;
    used.add(free);
    given.set(id, free);
    return free;
  };
}
