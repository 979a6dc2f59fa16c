import { AppError, errorCodes } from '../errors.ts';
import type { CallName, Client, EventName, Payload, Reply, Transport } from './index.ts';

/** Turns a transport into the typed client that the UI and the command line use; a refusal becomes an AppError again. */
export function createClient(transport: Transport): Client {
  return {
    async call(name: CallName, input: unknown) {
      const reply: unknown = await transport.call(name, input);
      if (!isReply(reply)) throw new TypeError(`The reply to ${name} is neither a value nor an error.`);
      if (!reply.ok) throw new AppError(reply.error.code, reply.error.message, reply.error.details);
      // The reply's type follows from the name, which TypeScript cannot correlate through a transport.
      return reply.value as never;
    },
    on<E extends EventName>(name: E, listener: (payload: Payload<E>) => void) {
      return transport.subscribe((heard, payload) => {
        if (heard === name) listener(payload as Payload<E>);
      });
    },
    body: (callId, part) => transport.body(callId, part),
    picture: (id) => transport.picture(id),
  };
}

/** Returns whether a message of a transport has the shape of a reply; does not look at the value. */
function isReply(reply: unknown): reply is Reply {
  if (typeof reply !== 'object' || reply === null || !('ok' in reply)) return false;
  if (reply.ok === true) return true;
  if (!('error' in reply) || typeof reply.error !== 'object' || reply.error === null) return false;
  const { error } = reply;
  return (
    'code' in error && errorCodes.some((code) => code === error.code) && 'message' in error && typeof error.message === 'string'
  );
}
