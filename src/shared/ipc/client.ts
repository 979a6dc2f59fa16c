import { AppError } from '../errors.ts';
import type { CallName, Client, EventName, Payload, Transport } from './index.ts';

/** Turns a transport into the typed client that the UI and the command line use; a refusal becomes an AppError again. */
export function createClient(transport: Transport): Client {
  return {
    async call(name: CallName, input: unknown) {
      const reply = await transport.call(name, input);
      if (!reply.ok) throw new AppError(reply.error.code, reply.error.message, reply.error.details);
      // The reply's type follows from the name, which TypeScript cannot correlate through a transport.
      return reply.value as never;
    },
    on<E extends EventName>(name: E, listener: (payload: Payload<E>) => void) {
      return transport.subscribe((heard, payload) => {
        if (heard === name) listener(payload as Payload<E>);
      });
    },
    body: (callId) => transport.body(callId),
    picture: (id) => transport.picture(id),
  };
}
