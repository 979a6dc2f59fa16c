import { questions } from '#shared/ipc/outputs/questions.ts';
import type { Transport } from '#shared/ipc/index.ts';

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
