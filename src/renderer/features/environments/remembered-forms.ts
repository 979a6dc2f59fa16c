import { late, otherwise, z } from '#shared/model/schema.ts';
import { environmentColors, serializations } from '#shared/model/default-environment.ts';
import type { EditedEnvironment } from './environment-draft.ts';

const formsSchema = late(() => {
  const text = z.string();
  const texts = <Name extends string>(names: readonly [Name, ...Name[]]) =>
    z.object(Object.fromEntries(names.map((name) => [name, text])) as Record<Name, typeof text>);
  const edited = z.object({
    name: text,
    color: z.enum(environmentColors),
    production: z.nullable(z.boolean()),
    baseUrl: text,
    walletUrl: text,
    platform: text,
    partnerId: text,
    timeZone: text,
    serialization: z.enum(serializations),
    defaults: texts(['currency', 'lang', 'country', 'ip', 'exitURL', 'playerId']),
    ca: text,
    proxy: otherwise(text, 'system'),
    timeouts: texts(['connect', 'headers', 'idle', 'total']),
    maxResponseBytes: text,
    launchRules: z.object({
      ...texts(['readyWithin', 'slowAfter', 'noise']).shape,
      readySigns: otherwise(text, ''),
      errorTexts: otherwise(text, ''),
    }),
    sameProviderAs: otherwise(text, ''),
  });
  return z.object({
    open: otherwise(z.nullable(text), null),
    // A form that cannot be read takes no other with it.
    forms: z.array(otherwise(z.nullable(z.object({ id: text, edited })), null)),
  });
});

/** The unsaved forms of environments, by the ID of the environment, and the environment that is open. */
export interface RememberedForms {
  readonly open: string | null;
  readonly forms: Readonly<Record<string, EditedEnvironment>>;
}

/** Returns them as the text to remember, without secrets. The key is not part of a form. */
export function writeForms({ open, forms }: RememberedForms): string {
  const written = Object.entries(forms).map(([id, edited]) => ({ id, edited: withoutSecrets(edited) }));
  return JSON.stringify({ open, forms: written });
}

/** Reads the remembered forms; leaves out missing or invalid ones. */
export function readForms(remembered: string | undefined): RememberedForms {
  if (remembered === undefined) return { open: null, forms: {} };
  try {
    const { open, forms } = formsSchema().parse(JSON.parse(remembered));
    return {
      open,
      forms: Object.fromEntries(forms.filter((form) => form !== null).map(({ id, edited }) => [id, edited])),
    };
  } catch {
    return { open: null, forms: {} };
  }
}

/** Removes secrets from a form: they are refused when it is saved, and could be typed all the same. */
function withoutSecrets(edited: EditedEnvironment): EditedEnvironment {
  const withoutPassword = (url: string) => url.replace(/\/\/[^/?#]*@/, '//');
  return {
    ...edited,
    baseUrl: withoutPassword(edited.baseUrl),
    walletUrl: withoutPassword(edited.walletUrl),
    proxy: withoutPassword(edited.proxy),
    ca: edited.ca.includes('PRIVATE KEY') ? '' : edited.ca,
  };
}
