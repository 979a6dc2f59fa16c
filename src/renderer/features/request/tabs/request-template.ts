import { defaultEnvironment } from '#shared/model/default-environment.ts';
import type { Environment, SandboxSamples } from '#shared/ipc/index.ts';
import { templateText, type Operation } from '#shared/provider/index.ts';

/** Returns the text that a request of an operation's form starts with. */
export type RequestTemplate = (operation: Operation, form: string) => string;

export interface TemplateDeps {
  /** Returns the selected environment; null while none is loaded. */
  readonly environment: () => Environment | null;
  readonly now: () => number;
  /** Returns values that the provider of that environment accepts now; empty for every provider but the built-in one. */
  readonly samples: (environment: Environment) => SandboxSamples;
}

/** Creates templates with the defaults of the selected environment. */
export function createRequestTemplate({ environment: selected, now, samples }: TemplateDeps): RequestTemplate {
  return (operation, form) => {
    const environment = selected();
    if (environment === null) return templateText(operation, form, defaultEnvironment.defaults, { now: now() });
    const { defaults, timeZone, answers } = environment;
    return templateText(operation, form, defaults, { now: now(), timeZone, answers, samples: samples(environment) });
  };
}
