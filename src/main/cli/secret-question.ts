import type { ImportPlan, SecretChoices } from '#shared/ipc/index.ts';
import type { Arguments, OptionSpec } from './arguments.ts';
import type { Context } from './command.ts';
import { askLine } from './questions.ts';

/** The option that answers the question about secrets in scripts, where there is no terminal. */
export const keepSecret: Readonly<Record<string, OptionSpec>> = {
  'keep-secret': {
    value: 'NAME',
    multiple: true,
    help: 'Write and remember values of this name, although they look like secrets',
  },
};

export function givenChoices(args: Arguments): SecretChoices {
  return Object.fromEntries(args.values('keep-secret').map((name) => [name, 'keep']));
}

/**
 * Asks once, in one list, about values that look like secrets and have no choice yet. Without a terminal it does not ask, and they stay
 * out; the next import asks again.
 */
export async function askAboutSecrets({ secrets }: ImportPlan, { terminal, stop }: Context): Promise<SecretChoices> {
  const names = [...new Set(secrets.filter(({ asked }) => asked).map(({ name }) => name))];
  if (names.length === 0 || !terminal.interactive) return {};
  terminal.note('These look like secrets, so their values stay out of the files, which are meant for git:');
  for (const [index, name] of names.entries()) {
    const [first, ...more] = secrets.filter((one) => one.asked && one.name === name);
    const others = more.length === 0 ? '' : `, and ${more.length} more`;
    terminal.note(`  ${index + 1}  ${name} (${first?.where ?? ''}${others}; recognised by its ${first?.by ?? 'name'})`);
  }
  const typed = await askLine('Numbers of the values to write anyway (Enter for none): ', terminal, stop);
  const kept = new Set(typed.split(/[\s,]+/).map((number) => names[Number(number) - 1]));
  return Object.fromEntries(names.map((name) => [name, kept.has(name) ? 'keep' : 'out']));
}
