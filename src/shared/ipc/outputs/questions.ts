import { operationNames } from '../../model/operations.ts';
import { z } from '../../model/schema.ts';
import type { KeyQuestion } from '../../secrets/key-question.ts';
import type { SecretToSave } from '../../secrets/secret-question.ts';
import { ProductionQuestion } from './production.ts';

const AskedKeys = z.strictObject({
  environment: z.string(),
  url: z.string(),
  operation: z.enum(operationNames),
  keys: z.array(z.string()),
  where: z.array(z.string()),
}) satisfies z.ZodMiniType<KeyQuestion>;

const AskedSecrets = z.array(
  z.strictObject({ name: z.string(), by: z.enum(['name', 'value']) }) satisfies z.ZodMiniType<SecretToSave>,
);

/** The details of a refusal that asks a question, by its reason. Nothing parses them at run time. */
export const questions = {
  production_unconfirmed: z.object({ question: ProductionQuestion }),
  key_unconfirmed: z.object({ question: AskedKeys }),
  secrets_unconfirmed: z.object({ secrets: AskedSecrets }),
};
