import { AppError } from '#shared/errors.ts';
import { shortOptions, suggestion, type CommandSpec } from '../arguments.ts';
import type { Command } from '../command.ts';
import { exits } from '../exit-codes.ts';

/** Writes the script of one shell; a function of the commands alone, so that completing never opens a home. */
const shells: Readonly<Record<string, (specs: readonly CommandSpec[]) => string>> = { bash, zsh, fish, powershell };

/** Creates the command; `load` loads every command, this one too. */
export function createCompletionCommand(load: () => Promise<readonly Command[]>): Command {
  return {
    spec: {
      name: 'completion',
      summary: 'Print a script that completes commands and options in a shell.',
      positionals: ['SHELL'],
      options: {},
      notes: [
        `SHELL is ${new Intl.ListFormat('en', { type: 'disjunction' }).format(Object.keys(shells))}.`,
        'bash: source <(croupier completion bash)',
        'zsh, after compinit: source <(croupier completion zsh)',
        'fish: croupier completion fish | source',
        'PowerShell: croupier completion powershell | Out-String | Invoke-Expression',
      ],
    },
    async run(args, { terminal }) {
      const shell = args.positionals[0] ?? '';
      const write = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
      if (write === undefined) {
        const names = Object.keys(shells);
        throw new AppError(
          'invalid_input',
          `There is no completion for this shell.${suggestion(shell, names)} There are: ${names.join(', ')}.`,
        );
      }
      const all = await load();
      await terminal.result(write(all.map(({ spec }) => spec)));
      return exits.done;
    },
  };
}

/** The first words, and the second words of those that are groups. */
function wordsOf(specs: readonly CommandSpec[]): { readonly first: string[]; readonly groups: Map<string, string[]> } {
  const groups = new Map<string, string[]>();
  for (const { name } of specs) {
    const [group = '', word] = name.split(' ');
    if (word !== undefined) groups.set(group, [...(groups.get(group) ?? []), word]);
  }
  return { first: [...new Set(specs.map(({ name }) => name.split(' ')[0] ?? ''))], groups };
}

function optionsOf({ options }: CommandSpec): string[] {
  const named = Object.keys(options).flatMap((name) => [
    `--${name}`,
    ...(shortOptions[name] === undefined ? [] : [`-${shortOptions[name]}`]),
  ]);
  return [...named, '--help'];
}

/** Names and options have nothing that a shell reads in a way of its own; files complete where no word fits. */
function bash(specs: readonly CommandSpec[]): string {
  const { first, groups } = wordsOf(specs);
  const choices = [
    ...[...groups].map(([group, words]) => `    "${group} ") words="${words.join(' ')}" ;;`),
    ...specs.map((spec) => {
      const [group = '', word] = spec.name.split(' ');
      return `    "${group} "${word === undefined ? '*' : word}) [[ $current == -* ]] && words="${optionsOf(spec).join(' ')}" ;;`;
    }),
  ];
  return [
    '_croupier() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" words=""',
    '  local first="${COMP_WORDS[1]}" second=""',
    '  (( COMP_CWORD > 2 )) && second="${COMP_WORDS[2]}"',
    `  if (( COMP_CWORD == 1 )); then words="${first.join(' ')} help --version"; else case "$first $second" in`,
    ...choices,
    '  esac; fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _croupier croupier',
  ].join('\n');
}

/** zsh runs the completions of bash. */
function zsh(specs: readonly CommandSpec[]): string {
  return ['autoload -U +X bashcompinit && bashcompinit', bash(specs)].join('\n');
}

function fish(specs: readonly CommandSpec[]): string {
  const { first, groups } = wordsOf(specs);
  const lines = first.map((word) => `complete -c croupier -n __fish_use_subcommand -f -a ${word}`);
  for (const [group, words] of groups) {
    const none = `"__fish_seen_subcommand_from ${group}; and not __fish_seen_subcommand_from ${words.join(' ')}"`;
    lines.push(`complete -c croupier -n ${none} -f -a "${words.join(' ')}"`);
  }
  for (const { name, options } of specs) {
    const seen = `"${name
      .split(' ')
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join('; and ')}"`;
    for (const [option, { value, help }] of Object.entries(options)) {
      const short = shortOptions[option] === undefined ? '' : ` -s ${shortOptions[option]}`;
      lines.push(
        `complete -c croupier -n ${seen} -l ${option}${short}${value === undefined ? '' : ' -r'} -d '${help.replaceAll("'", "\\'")}'`,
      );
    }
  }
  return lines.join('\n');
}

function powershell(specs: readonly CommandSpec[]): string {
  const { first, groups } = wordsOf(specs);
  const list = (words: readonly string[]) => `@(${words.map((word) => `'${word}'`).join(', ')})`;
  return [
    'Register-ArgumentCompleter -Native -CommandName croupier -ScriptBlock {',
    '  param($wordToComplete, $commandAst, $cursorPosition)',
    '  $words = @{',
    `    '' = ${list(first)}`,
    ...[...groups].map(([group, words]) => `    '${group}' = ${list(words)}`),
    '  }',
    '  $options = @{',
    ...specs.map((spec) => `    '${spec.name}' = ${list(optionsOf(spec))}`),
    '  }',
    '  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })',
    "  if ($wordToComplete -ne '') { $typed = @($typed | Select-Object -SkipLast 1) }",
    '  $one = "$($typed[0])"; $two = "$($typed[0]) $($typed[1])"',
    '  $found = if ($options.ContainsKey($two)) { $options[$two] } elseif ($options.ContainsKey($one)) { $options[$one] }',
    '    elseif ($typed.Count -le 1 -and $words.ContainsKey($one)) { $words[$one] }',
    '  $found | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }',
    '}',
  ].join('\n');
}
