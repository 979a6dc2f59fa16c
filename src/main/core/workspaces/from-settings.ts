import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { z } from '#shared/model/schema.ts';
import { writeFileDurably } from '../files/files.ts';
import { vouched } from '../files/passed.ts';
import type { Settings } from '../settings/settings.ts';
import { foldersIn, parsed, placesIn } from './folders.ts';

const name = 'workspace';
const Old = z.looseObject({ version: z.literal(1), active: z.number(), tabs: z.array(z.unknown()) });

/**
 * Makes a workspace of the one that an earlier version kept in the settings, the newest of all. One that a newer version wrote
 * stays there, and the result names it. If this ends halfway, the next time repeats it.
 */
export async function moveFromSettings(deps: {
  readonly root: string;
  readonly settings: Pick<Settings, 'read' | 'remove'>;
  readonly settingsPath: string;
}): Promise<string[]> {
  const { root, settings, settingsPath } = deps;
  const text = settingOf(settings);
  if (text === undefined) return [];
  const old = Old.safeParse(parsed(text)).data;
  if (old === undefined) return [`${settingsPath} (${name})`];
  const { active, tabs, ...layout } = old;
  const places = placesIn(root);
  const id = createHash('sha256').update(text).digest('hex').slice(0, 24);
  mkdirSync(places.folder(id), { recursive: true, mode: 0o700 });
  const listed = tabs.map((tab, at) => ({ id: `tab-${at + 1}`, unsaved: !isClean(tab), plain: false }));
  for (const [at, tab] of tabs.entries())
    await writeFileDurably(places.tab(id, `tab-${at + 1}`), vouched('home', 'masked', JSON.stringify(tab)));
  const turn = Math.max(0, ...foldersIn(root).map(({ holder }) => holder.turn)) + 1;
  await writeFileDurably(
    places.list(id),
    vouched('home', 'masked', `${JSON.stringify({ ...layout, active: listed[active]?.id ?? null, tabs: listed })}\n`),
  );
  await writeFileDurably(places.holder(id), vouched('home', 'masked', `${JSON.stringify({ run: '', page: '', turn })}\n`));
  await settings.remove(name, text);
  return [];
}

/** Settings that cannot be read are reported where they are shown. */
function settingOf(settings: Pick<Settings, 'read'>): string | undefined {
  try {
    return settings.read()[name];
  } catch {
    return undefined;
  }
}

function isClean(tab: unknown): boolean {
  return typeof tab === 'object' && tab !== null && 'dirty' in tab && tab.dirty === false;
}
