import { addScheme } from './addresses.ts';
import { browserStarted } from './ready.ts';
import { StrictEmitter } from './strict.ts';

type ProtocolApi = Pick<Electron.Protocol, 'handle' | 'registerSchemesAsPrivileged'>;

/** The schemes that the app serves itself in one session. */
export class ProtocolDouble extends StrictEmitter implements ProtocolApi {
  readonly handlers = new Map<string, (request: Request) => Response | Promise<Response>>();
  registerSchemesAsPrivileged(list: Electron.CustomScheme[]): void {
    if (browserStarted()) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    for (const { scheme } of list) addScheme(scheme);
  }
  handle(scheme: string, handler: (request: Request) => Response | Promise<Response>): void {
    if (this.handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
    this.handlers.set(scheme, handler);
  }
}
