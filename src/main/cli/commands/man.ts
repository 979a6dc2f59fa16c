import { optionText, type CommandSpec } from '../arguments.ts';
import { exitWords, exits, type Command } from '../command.ts';

/** Creates the command; `specs` describes every command, this one too. */
export const createManCommand = (specs: () => Promise<readonly CommandSpec[]>): Command => ({
  spec: {
    name: 'man',
    summary: 'Print the manual page of croupier, with every command.',
    notes: ['croupier man > ~/.local/share/man/man1/croupier.1'],
  },
  async run(_args, { terminal, programs }) {
    await terminal.result(page(await specs(), programs.version()));
    return exits.done;
  },
});

/** Variables of the environment that every command reads. */
const variables = {
  CROUPIER_HOME: "Croupier's home, instead of the default one.",
  CROUPIER_ENV: 'The environment for commands without --env, instead of the default one. It must not be production.',
  CROUPIER_CERTIFICATE: 'With --key-env: a file with a client certificate and its key, PKCS#12 or PEM.',
  CROUPIER_PASSPHRASE: 'The passphrase of that file.',
  CROUPIER_DEBUG: 'If set, errors are printed with their stack.',
};

function page(specs: readonly CommandSpec[], version: string): string {
  return [
    `.TH CROUPIER 1 "" "Croupier ${roff(version)}" "User Commands"`,
    '.SH NAME',
    roff('croupier - workbench for the Casino Game Integration API'),
    '.SH SYNOPSIS',
    `\\fBcroupier\\fR \\fICOMMAND\\fR [options]`,
    '.SH COMMANDS',
    ...specs.flatMap(section),
    '.SH EXIT STATUS',
    ...Object.entries(exitWords).flatMap(([code, words]) => ['.TP', code, roff(words)]),
    '.SH ENVIRONMENT',
    ...Object.entries(variables).flatMap(([name, words]) => ['.TP', `\\fB${name}\\fR`, roff(words)]),
  ].join('\n');
}

function section({ name, positionals = [], summary, options = {}, notes = [] }: CommandSpec): string[] {
  return [
    `.SS ${roff(['croupier', name, ...positionals].join(' '))}`,
    roff(summary),
    ...Object.entries(options).flatMap(([option, spec]) => ['.TP', `\\fB${roff(optionText(option, spec))}\\fR`, roff(spec.help)]),
    ...notes.flatMap((note) => ['.PP', roff(note)]),
  ];
}

/** Writes a text so that roff shows it as it is: a hyphen that can be copied, no escape, and no line that begins as a macro does. */
function roff(text: string): string {
  return text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replaceAll(/^(?=[.'])/gm, String.raw`\&`);
}
