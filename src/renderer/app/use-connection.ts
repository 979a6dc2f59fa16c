import { useSyncExternalStore } from 'react';
import type { Connection, ConnectionState } from '#renderer/api/connection.ts';

/** Follows the state of the line to the host. */
export function useConnection(connection: Connection): ConnectionState {
  return useSyncExternalStore((listener) => connection.watch(listener), connection.get);
}
