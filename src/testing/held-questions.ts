import { ProductionQuestion } from '#shared/ipc/outputs/production.ts';
import { operationNames } from '#shared/model/operations.ts';
import { z } from '#shared/model/schema.ts';
import type { KeyQuestion } from '#shared/secrets/key-question.ts';
import type { SecretToSave } from '#shared/secrets/secret-question.ts';
import type { Transport } from '#shared/ipc/index.ts';

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
const questions = {
  production_unconfirmed: z.object({ question: ProductionQuestion }),
  key_unconfirmed: z.object({ question: AskedKeys }),
  secrets_unconfirmed: z.object({ secrets: AskedSecrets }),
};

/** Returns a transport whose calls fail if a question in a refusal does not match its schema. */
export function holdQuestions(transport: Transport): Transport {
  return {
    ...transport,
    async call(name, input) {
      const reply = await transport.call(name, input);
      if (!reply.ok) for (const [reason, schema] of Object.entries(questions)) hold(reply.error.details, reason, schema);
      return reply;
    },
  };
}

function hold(details: unknown, reason: string, schema: (typeof questions)[keyof typeof questions]): void {
  if (typeof details !== 'object' || details === null || !('reason' in details) || details.reason !== reason) return;
  schema.parse(details);
}
