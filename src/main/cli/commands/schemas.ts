import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { environmentsFolder, schemaFile, schemasFolder, settingsNames, type SchemaName } from '#shared/collections/file-names.ts';
import { AppError, reasonAndAdvice } from '#shared/errors.ts';
import { exits, type Command } from '../command.ts';

/** Files of a collection by their schemas, as VS Code's YAML extension selects them. */
const filesOf = {
  request: ['**/*.yaml', ...Object.values(settingsNames).map((file) => `!**/${file}`), `!**/${environmentsFolder}/*.yaml`],
  collection: [`**/${settingsNames.collection}`],
  folder: [`**/${settingsNames.folder}`],
  environment: [`**/${environmentsFolder}/*.yaml`],
} as const satisfies Record<Exclude<SchemaName, 'devices'>, readonly string[]>;

export const schemasCommand: Command = {
  spec: {
    name: 'schemas',
    summary: `Write the JSON Schemas of all files of a collection to ${schemasFolder} in it, for editors.`,
    positionals: ['DIRECTORY'],
    notes: [
      'From then on, new files in it begin with the line by which editors find their schema.',
      'It prints the settings by which VS Code (with its YAML extension) also checks the files that are there.',
    ],
  },
  async run(args, { terminal }) {
    const [directory = ''] = args.positionals;
    const [{ fileSchemas }, { vouched, writeFileDurably }] = await Promise.all([
      import('#shared/collections/file-schemas.ts'),
      import('#core/app/app.ts'),
    ]);
    const folder = join(directory, schemasFolder);
    try {
      await mkdir(folder);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === 'ENOENT') throw new AppError('not_found', `No folder "${directory}". Name a collection's folder.`);
      if (code !== 'EEXIST')
        throw new AppError('storage', `Croupier can't create ${folder}: ${reasonAndAdvice(cause)}`, undefined, { cause });
    }
    for (const [name, schema] of Object.entries(fileSchemas()) as [SchemaName, object][])
      await writeFileDurably(
        join(folder, schemaFile(name)),
        vouched('team', 'own', `${JSON.stringify(schema, null, 2)}\n`),
        'shared',
      );
    terminal.note(`croupier: wrote ${folder}. To check files that are there, add this to .vscode/settings.json:`);
    const schemas = Object.entries(filesOf).map(([name, files]) => [
      `./${schemasFolder}/${schemaFile(name as SchemaName)}`,
      files,
    ]);
    const devices = { fileMatch: ['devices.json'], url: `./${schemasFolder}/${schemaFile('devices')}` };
    const settings = { 'yaml.schemas': Object.fromEntries(schemas) as unknown, 'json.schemas': [devices] };
    await terminal.result(JSON.stringify(settings, null, 2));
    return exits.done;
  },
};
