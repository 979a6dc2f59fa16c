/** Returns environment variables without those that hold a private key: a program that Croupier starts gets no key. */
export async function variablesWithoutKeys(
  variables: NodeJS.ProcessEnv,
  holdsKey: (text: Uint8Array) => Promise<boolean>,
): Promise<NodeJS.ProcessEnv> {
  const all = Object.entries(variables);
  if (!(await holdsKey(Buffer.from(all.map(([, value]) => value ?? '').join('\n'))))) return { ...variables };
  const kept: [string, string | undefined][] = [];
  for (const [name, value] of all) if (!(await holdsKey(Buffer.from(value ?? '')))) kept.push([name, value]);
  return Object.fromEntries(kept);
}
