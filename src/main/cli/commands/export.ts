import { AppError } from '#shared/errors.ts';
import { collectionExportFormats } from '#shared/model/formats.ts';
import { formatIn, UsageError } from '../arguments.ts';
import { withCollection } from '../collection-path.ts';
import { exits, type Command } from '../command.ts';
import { givenKey } from '../key-variable.ts';
import { requireTyped } from '../production.ts';
import { findEnvironment, withWorkbench } from '../workbench.ts';
import { openTargets } from '../targets.ts';

const formats = collectionExportFormats.map(({ name }) => name);
const withoutEnvironment = collectionExportFormats.filter(({ needsEnvironment }) => !needsEnvironment).map(({ name }) => name);

export const exportCommand: Command = {
  spec: {
    name: 'export',
    summary: 'Export requests to Postman, Bruno, OpenCollection, HAR or a program that signs.',
    positionals: ['PATH'],
    options: {
      as: { value: 'FORMAT', choices: formats, help: `Export as ${formats.join(', ')}` },
      env: {
        value: 'NAME',
        help: `Use this environment's values (optional for ${withoutEnvironment.join(', ')})`,
      },
      out: {
        value: 'FILE',
        help: 'Write to this new file; for bruno and opencollection, a new folder',
      },
      'key-env': { value: 'VAR', help: 'Read the key from this environment variable, not the keychain' },
    },
    notes: [
      "PATH is a collection, a folder in it or a request file. Croupier lists everything that the format can't hold.",
      'Exports never contain the key. Postman reads it from its variable privateKey, Bruno from privateKey or CROUPIER_KEY, and programs from CROUPIER_KEY. HAR requests are already signed.',
    ],
  },
  async run(args, context) {
    const { terminal } = context;
    const [path = ''] = args.positionals;
    const { name: format, needsEnvironment, directory } = formatIn(args.value('as'), collectionExportFormats);
    const name = args.value('env');
    const out = args.value('out');
    if (directory && out === undefined) throw new UsageError(`${format} is a folder of files. Name a new folder with --out.`);
    const [file] = directory ? [] : await openTargets(args.values('out'), { new: true });
    const key = givenKey(args, terminal);
    return withWorkbench(context, { keys: { given: key } }, async ({ app, client }) => {
      const environment = name === undefined && !needsEnvironment ? null : await findEnvironment(client, name);
      if (environment !== null) requireTyped(environment, args);
      if (key !== null && environment !== null) await app.useKey(environment.id, key);
      const { files, notCarried } = await withCollection(client, path, { create: false }, (place) =>
        client.call('collections.export', { ...place, format, environmentId: environment?.id ?? null }),
      );
      if (context.stop.aborted) throw new AppError('cancelled', 'Croupier was stopped. Nothing was exported.');
      if (out === undefined) for (const { text } of files) await terminal.resultBytes(Buffer.from(text, 'utf8'));
      else {
        const { vouched, writeNewDirectory } = await import('#core/app/app.ts');
        if (file === undefined)
          await writeNewDirectory(
            out,
            // The directory itself has the name that the user gave it.
            files.map((one) => ({ name: one.name.split('/').slice(1).join('/'), text: vouched('export', 'core', one.text) })),
          );
        else {
          for (const { text } of files) await file.write(vouched('export', 'core', text));
          await file.finish();
        }
        terminal.note(`croupier: wrote ${out}`);
      }
      if (notCarried.length > 0) terminal.note('croupier: not carried over:');
      for (const { where, what, why } of notCarried) terminal.note(`  ${where}: ${what}. ${why}`);
      return exits.done;
    });
  },
};
