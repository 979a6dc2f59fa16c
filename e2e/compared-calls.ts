import { expect } from '@playwright/test';
import { startHttpsServer } from '#testing/https-server.ts';
import type { Workbench } from './fixtures.ts';
import { addEnvironment, enterWithKey } from './own-environment.ts';
import type { PageScreens } from './pages/screens.ts';

interface Screens extends Pick<PageScreens, 'shell' | 'requests' | 'response' | 'environments'> {
  readonly workbench: Pick<Workbench, 'cli'>;
}

/**
 * Runs `run` with a provider that refuses escaped slashes, as one that hashes them bare does, and that counts in integers beyond
 * 2^53.
 */
export async function withProvider(screens: Screens, run: () => Promise<void>): Promise<void> {
  const { workbench, shell, environments } = screens;
  let answered = 0;
  const server = await startHttpsServer((received, answer) => {
    if (received.body.includes('\\/')) {
      answer.end('{"code":8,"message":"hash not valid","data":null}');
      return;
    }
    answered += 1;
    answer.end(`{"code":0,"message":"ok","data":{"bet":1.${'0'.repeat(answered)},"roundId":900719925474099${answered}}}`);
  });
  try {
    await addEnvironment(workbench, server, 'own', '--serialization', 'verbatim');
    await enterWithKey({ shell, environments }, 'own', 'a-key-of-the-test');
    await shell.openOperation('getGameRound');
    await run();
  } finally {
    await server.close();
  }
}

/** Sends the operation in sight with data, and expects the words of its code. */
export async function sendData({ requests, response }: Screens, data: string, code: string): Promise<void> {
  const editor = await requests.openEditor();
  await editor.replace(data);
  await requests.send.click();
  await expect(response.announced).toContainText('answered');
  await expect(response.code).toHaveText(code);
}
