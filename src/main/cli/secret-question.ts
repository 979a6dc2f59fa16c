import type { ImportPlan, SecretChoices } from '#shared/ipc/index.ts';
import type { Arguments, OptionSpec } from './arguments.ts';
import type { Context } from './command.ts';
import { askLine } from './questions.ts';

/** The option of an import for scripts: what was asked is remembered, and without a terminal nothing is. */
export const keepSecret: Readonly<Record<string, OptionSpec>> = {
  'keep-secret': {
    value: 'NAME',
    multiple: true,
    help: 'Write the values under this name into the files although they look like secrets; each value is remembered',
  },
};

export function givenChoices(args: Arguments): SecretChoices {
  return Object.fromEntries(args.values('keep-secret').map((name) => [name, 'keep']));
}

/**
 * Asks once, in one list, about the values that look like secrets and that nobody chose for yet. Without a terminal nobody is asked, and they stay
 * out; the next import asks again.
 */
export async function askAboutSecrets({ secrets }: ImportPlan, { terminal, stop }: Context): Promise<SecretChoices> {
  const names = [...new Set(secrets.filter(({ asked }) => asked).map(({ name }) => name))];
  if (names.length === 0 || !terminal.interactive) return {};
  terminal.note('These look like secrets. Their values stay out of the files, which are made for git:');
  for (const [index, name] of names.entries()) {
    const [first, ...more] = secrets.filter((one) => one.asked && one.name === name);
    const others = more.length === 0 ? '' : `, and ${more.length} more`;
    terminal.note(`  ${index + 1}  ${name} (${first?.where ?? ''}${others}; known by its ${first?.by ?? 'name'})`);
  }
  const typed = await askLine('Numbers of those that are no secrets and go into the files (Enter for none): ', terminal, stop);
  const kept = new Set(typed.split(/[\s,]+/).map((number) => names[Number(number) - 1]));
  return Object.fromEntries(names.map((name) => [name, kept.has(name) ? 'keep' : 'out']));
}
