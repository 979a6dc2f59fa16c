import { expect, it } from 'vitest';
import { calls, events } from '#shared/ipc/index.ts';
import { z } from '#shared/ipc/contract.ts';
import { createTestApp } from '#testing/app.ts';
import { runConformance } from '#testing/conformance.ts';

runConformance('in-process', async () => {
  const { app, close } = await createTestApp({ sandbox: true });
  return { transport: app.transport, close };
});

it('the inside contract is the one that was reviewed', async () => {
  const schema = (type: z.ZodMiniType, io: 'input' | 'output') => z.toJSONSchema(type, { io, unrepresentable: 'any' });
  const lines = [
    ...Object.entries(calls).flatMap(([name, { input, output }]) => [
      `call ${name}`,
      `  input ${JSON.stringify(schema(input, 'input'))}`,
      `  output ${JSON.stringify(schema(output, 'output'))}`,
    ]),
    ...Object.entries(events).flatMap(([name, payload]) => [`event ${name}`, `  ${JSON.stringify(schema(payload, 'output'))}`]),
  ];
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./contract.snapshot.txt');
});
