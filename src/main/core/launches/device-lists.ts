import { join } from 'node:path';
import { AppError } from '#shared/errors.ts';
import type { DeviceList } from '#shared/ipc/index.ts';
import { parseJson } from '#shared/json/parse.ts';
import { builtInDevices } from '#shared/launches/devices.ts';
import { deviceFileSchema } from '#shared/model/device.ts';
import { createOpened } from '../collections/opened-directories.ts';
import { readUsersText } from '../files/files.ts';

/** The file with further devices, in the home and in collections. */
const fileName = 'devices.json';

/** Lists the devices that come with Croupier, then those of the home, then those of the opened collections; a missing file has none. */
export async function readDeviceLists(home: string): Promise<DeviceList[]> {
  const opened = await createOpened(join(home, 'collections.json')).list();
  const places = [
    { from: 'This computer', directory: home },
    ...opened.map(({ name, directory }) => ({ from: name, directory })),
  ];
  const lists = places.flatMap(({ from, directory }) => readList(from, join(directory, fileName)) ?? []);
  return [{ from: '', devices: [...builtInDevices], problem: null }, ...lists];
}

/** Returns null if there is no such file. */
function readList(from: string, path: string): DeviceList | null {
  let text: string;
  try {
    text = readUsersText('home.deviceList', path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A directory that is gone has no devices; the collections say that it is gone.
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    const why = error instanceof AppError ? error.message : 'Check its permissions.';
    return { from, devices: [], problem: `${path} cannot be read. ${why}` };
  }
  const parsed = parseJson(text);
  if (!parsed.ok) {
    const { line, column, message } = parsed.error;
    return { from, devices: [], problem: `${path}, line ${line}, column ${column}: ${message}` };
  }
  const file = deviceFileSchema().safeParse(JSON.parse(text));
  if (file.success) return { from, devices: file.data.devices, problem: null };
  const [issue] = file.error.issues;
  const at = (issue?.path ?? []).map((part) => (typeof part === 'number' ? `number ${part + 1}` : String(part))).join(', ');
  return {
    from,
    devices: [],
    problem: `${path}${at === '' ? '' : `, ${at}`}: ${issue?.message ?? 'it is not a list of devices'}`,
  };
}
