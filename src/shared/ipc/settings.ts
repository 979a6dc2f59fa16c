import { filledTextUpTo, textUpTo, z } from '../model/schema.ts';
import { Nothing } from './nothing.ts';

/** Orders a page's writes; core drops late ones. */
export const WriteOrder = z.strictObject({
  page: filledTextUpTo(64),
  number: z.int().check(z.gte(0)),
});
export type WriteOrder = z.infer<typeof WriteOrder>;

/** Settings that a page restores at its start and keeps from then on. */
const pageSettings = ['layout', 'appearance', 'providerLog', 'collections', 'shortcuts', 'environmentForms', 'launcher'] as const;
export type PageSetting = (typeof pageSettings)[number];

/** Names that this version keeps in the settings; `workspace` moves to the workspaces, where tabs are kept now. */
export const settingNames = [
  ...pageSettings,
  'tester',
  'workspace',
  'desktopWindow',
  'retention',
  'secretChoices',
  'defaultEnvironment',
  'privateHosts',
  'updateUrl',
  'updateFound',
  'updateDismissed',
] as const;
export type SettingName = (typeof settingNames)[number];

/** Settings that every page of the home and the desktop's menu follow while they run. */
export const followedSettings = ['shortcuts'] as const satisfies readonly SettingName[];

/** Settings that a page remembers between sessions, such as its layout, as JSON text by name. Never a secret. */
export const settingsInputs = {
  /** `unknown`: files of the home with fields that this version does not know and keeps; another version may have written them. */
  'settings.read': Nothing,
  'settings.write': z.strictObject({
    name: z.string().check(z.regex(/^[a-z][a-zA-Z]{0,39}$/)),
    value: textUpTo(2_097_152),
    order: z.optional(WriteOrder),
  }),
};
