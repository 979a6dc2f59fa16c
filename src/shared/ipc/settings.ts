import { filledTextUpTo, textUpTo, z } from '../model/schema.ts';
import { Nothing } from './nothing.ts';

/** Which write of which page this is. Two requests may arrive in the other order; then the earlier write is dropped. */
export const WriteOrder = z.strictObject({
  page: filledTextUpTo(64),
  number: z.int().check(z.gte(0)),
});
export type WriteOrder = z.infer<typeof WriteOrder>;

/** All that this version keeps in the settings; `workspace` is moved to where tabs are kept now. */
export const settingNames = [
  'layout',
  'appearance',
  'providerLog',
  'collections',
  'environmentForms',
  'launcher',
  'workspace',
  'desktopWindow',
  'retention',
  'secretChoices',
] as const;
export type SettingName = (typeof settingNames)[number];

/** What a page remembers between runs (layout, open tabs with their typed text), as JSON text by name. Never a secret. */
export const settingsInputs = {
  /** `unknown`: files of the home with fields that this version does not know. Another one may have written them, and they stay. */
  'settings.read': Nothing,
  'settings.write': z.strictObject({
    name: z.string().check(z.regex(/^[a-z][a-zA-Z]{0,39}$/)),
    value: textUpTo(2_097_152),
    order: z.optional(WriteOrder),
  }),
};
