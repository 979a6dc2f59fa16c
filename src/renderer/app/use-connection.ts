import { useSyncExternalStore } from 'react';
import type { Connection, ConnectionState } from '#renderer/api/connection.ts';

/** The state of the line to the host, followed. */
export function useConnection(connection: Connection): ConnectionState {
  return useSyncExternalStore((listener) => connection.watch(listener), connection.get);
}
