import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#shared/errors.ts';
import { operations } from '#shared/provider/index.ts';
import { shortOptions, suggestion, type CommandSpec } from '../arguments.ts';
import { exits, type Command, type Context } from '../command.ts';
import { readInputFile } from '../read-input.ts';
import { withWorkbench } from '../workbench.ts';

/** Writes the script of one shell. */
const shells: Readonly<Record<string, (specs: readonly CommandSpec[]) => string>> = { bash, zsh, fish, powershell };

/** Creates the command; `specs` describes every command, this one too. */
export const createCompletionCommand = (specs: () => Promise<readonly CommandSpec[]>): Command => ({
  spec: {
    name: 'completion',
    summary: 'Print a script that completes commands and options in a shell.',
    positionals: ['SHELL', '[PATH]'],
    notes: [
      `SHELL is ${new Intl.ListFormat('en', { type: 'disjunction' }).format(Object.keys(shells))}.`,
      'The script runs "croupier completion environments" and "croupier completion tags PATH" to get names. Neither opens the keychain.',
      'bash: source <(croupier completion bash)',
      'zsh, after compinit: source <(croupier completion zsh)',
      'fish: croupier completion fish | source',
      'PowerShell: croupier completion powershell | Out-String | Invoke-Expression',
    ],
  },
  async run(args, context) {
    const { terminal } = context;
    const [shell = '', path = ''] = args.positionals;
    if (shell === 'environments' || shell === 'tags') {
      const words = shell === 'tags' ? await tagsIn(path, context) : await environmentsOf(context);
      // A shell would read anything else in a way of its own, even run it.
      for (const word of words.filter((one) => /^[\w][\w.:@-]*$/.test(one))) await terminal.result(word);
      return exits.done;
    }
    const write = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
    if (write === undefined) {
      const names = Object.keys(shells);
      throw new AppError(
        'invalid_input',
        `There is no completion for this shell.${suggestion(shell, names)} Available: ${names.join(', ')}.`,
      );
    }
    await terminal.result(write(await specs()));
    return exits.done;
  },
});

/** Returns the names of the environments, or IDs in place of names that a shell would split. Makes no home. */
async function environmentsOf(context: Context): Promise<string[]> {
  const { resolveHome } = await import('#core/app/app.ts');
  if (!existsSync(resolveHome(context.terminal.env))) return [];
  return withWorkbench(context, { keys: 'process' }, async ({ client }) => {
    const { environments } = await client.call('environments.list', {});
    return environments.map(({ name, id }) => (/^[\w.:@-]+$/.test(name) ? name : id));
  });
}

/** Returns the tags in the request files of a directory, as they are usually written: `tags: [a, b]`, or one on each line. */
async function tagsIn(directory: string, context: Context): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true }).catch(() => []);
  const tags = new Set<string>();
  for (const entry of entries.filter((one) => one.isFile() && one.name.endsWith('.yaml'))) {
    const bytes = await readInputFile('input.tags', join(entry.parentPath, entry.name), context).catch(() => null);
    const list = /^tags:\s*(?:\[([^\]]*)\]|((?:\n\s*- .*)+))/m.exec(bytes?.toString('utf8') ?? '');
    for (const tag of (list?.[1] ?? list?.[2] ?? '').split(/[,\n]/)) tags.add(tag.replace(/^\s*-\s/, '').trim());
  }
  return [...tags].toSorted();
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

function optionsOf({ options = {} }: CommandSpec): string[] {
  const named = Object.keys(options).flatMap((name) => [
    `--${name}`,
    ...(shortOptions[name] === undefined ? [] : [`-${shortOptions[name]}`]),
  ]);
  return [...named, '--help'];
}

/** Values of an option, or of the arguments of a command: words, or what the script asks Croupier for. */
type Values = readonly string[] | 'environments' | 'tags';

/** Returns the values that a shell offers behind an option (`--as`), and under an empty name those of the arguments. */
function valuesOf({ options = {}, positionals = [] }: CommandSpec): ReadonlyMap<string, Values> {
  const asked: Readonly<Record<string, Values>> = { env: 'environments', tag: 'tags', 'exclude-tag': 'tags' };
  const values = new Map<string, Values>();
  for (const [name, { choices }] of Object.entries(options)) {
    const found = choices ?? asked[name];
    if (found === undefined) continue;
    values.set(`--${name}`, found);
    if (shortOptions[name] !== undefined) values.set(`-${shortOptions[name]}`, found);
  }
  const named = positionals.join(' ');
  if (named.includes('OPERATION'))
    values.set(
      '',
      operations.map(({ name }) => name),
    );
  else if (/\b(?:NAME|ENV)\b/.test(named)) values.set('', 'environments');
  else if (named.includes('SHELL')) values.set('', Object.keys(shells));
  return values;
}

/** Names and options have nothing that a shell reads in a way of its own; files complete where no word fits. */
function bash(specs: readonly CommandSpec[]): string {
  const { first, groups } = wordsOf(specs);
  const asked = {
    environments: '$(croupier completion environments 2>/dev/null)',
    tags: '$(croupier completion tags "${COMP_WORDS[2]}" 2>/dev/null)',
  };
  const printed = (values: Values) => (typeof values === 'string' ? asked[values] : values.join(' '));
  const choices = [
    ...[...groups].map(([group, words]) => `    "${group} ") words="${words.join(' ')}" ;;`),
    ...specs.map((spec) => {
      const [group = '', word] = spec.name.split(' ');
      const inner = [
        `[[ $current == -* ]] && words="${optionsOf(spec).join(' ')}"`,
        ...Array.from(valuesOf(spec), ([option, values]) => {
          const when = option === '' ? '$current != -* && $previous != -*' : `$previous == ${option}`;
          return `[[ ${when} ]] && words="${printed(values)}"`;
        }),
      ];
      return `    "${group} "${word === undefined ? '*' : word}) ${inner.join('; ')} ;;`;
    }),
  ];
  return [
    '_croupier() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" words=""',
    '  local first="${COMP_WORDS[1]}" second="" previous="${COMP_WORDS[COMP_CWORD-1]}"',
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
  const asked = {
    environments: '(croupier completion environments 2>/dev/null)',
    tags: '(croupier completion tags (commandline -opc)[3] 2>/dev/null)',
  };
  const offer = (values: Values | undefined) =>
    values === undefined ? '' : ` -f -a '${typeof values === 'string' ? asked[values] : values.join(' ')}'`;
  const lines = first.map((word) => `complete -c croupier -n __fish_use_subcommand -f -a ${word}`);
  for (const [group, words] of groups) {
    const none = `"__fish_seen_subcommand_from ${group}; and not __fish_seen_subcommand_from ${words.join(' ')}"`;
    lines.push(`complete -c croupier -n ${none} -f -a "${words.join(' ')}"`);
  }
  for (const spec of specs) {
    const words = spec.name.split(' ');
    const seen = `"${words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')}"`;
    const values = valuesOf(spec);
    if (values.has('')) lines.push(`complete -c croupier -n ${seen}${offer(values.get(''))}`);
    for (const [option, { value, help }] of Object.entries(spec.options ?? {})) {
      const short = shortOptions[option] === undefined ? '' : ` -s ${shortOptions[option]}`;
      const required = value === undefined ? '' : ' -r';
      lines.push(
        `complete -c croupier -n ${seen} -l ${option}${short}${required}${offer(values.get(`--${option}`))} -d '${help.replaceAll("'", "\\'")}'`,
      );
    }
  }
  return lines.join('\n');
}

function powershell(specs: readonly CommandSpec[]): string {
  const { first, groups } = wordsOf(specs);
  const list = (words: readonly string[]) => `@(${words.map((word) => `'${word}'`).join(', ')})`;
  const asked = { environments: 'croupier completion environments 2>$null', tags: 'croupier completion tags $path 2>$null' };
  const offer = (values: Values) => (typeof values === 'string' ? asked[values] : list(values));
  const values = specs.flatMap((spec) =>
    Array.from(valuesOf(spec), ([option, found]) => `    '${`${spec.name} ${option}`.trim()}' = { ${offer(found)} }`),
  );
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
    '  $values = @{',
    ...values,
    '  }',
    '  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })',
    "  if ($wordToComplete -ne '') { $typed = @($typed | Select-Object -SkipLast 1) }",
    '  $one = "$($typed[0])"; $two = "$($typed[0]) $($typed[1])"; $path = "$($typed[1])"',
    "  $command = if ($options.ContainsKey($two)) { $two } elseif ($options.ContainsKey($one)) { $one } else { '' }",
    '  $behind = if ($typed.Count -gt 0) { "$command $($typed[-1])" } else { \'\' }',
    '  $found = if ($values.ContainsKey($behind)) { & $values[$behind] }',
    "    elseif ($values.ContainsKey($command) -and $wordToComplete -notlike '-*') { & $values[$command] }",
    "    elseif ($command -ne '') { $options[$command] }",
    '    elseif ($typed.Count -le 1 -and $words.ContainsKey($one)) { $words[$one] }',
    '  $found | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }',
    '}',
  ].join('\n');
}
