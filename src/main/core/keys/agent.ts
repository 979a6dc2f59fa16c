/**
 * The key agent: the only process that loads the native keychain library and the only one that holds private keys. It takes
 * keys and gives digests. Its parent may kill it at any moment; it ends by itself when its parent is gone.
 */
import { keepDebuggerClosed } from './no-debugger.ts';

// Before anything else is loaded: until then, and without `--disable-sigusr1`, which an Electron that is started from sources does not
// take, one signal opens Node's debugger to every account of the machine.
keepDebuggerClosed();
void import('./agent-program.ts').then(({ start }) => start());
