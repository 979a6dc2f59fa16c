import { usageError, type Arguments, type CommandSpec } from './arguments.ts';

/** Returns the value of `--port`; 0, a free one, if it is not given. */
export function readPort(spec: CommandSpec, args: Arguments): number {
  const text = args.value('port') ?? '0';
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw usageError(spec, '--port must be a number from 0 to 65535.');
  return port;
}
