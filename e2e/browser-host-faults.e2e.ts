import { expect, test } from './fixtures.ts';

test('a reply or an event that is not JSON is shown once, and the screen goes on from it', async ({
  workbench,
  shell,
  history,
  requests,
  response,
}) => {
  const { page } = workbench;
  workbench.troubles.expect(/^error: SyntaxError/);
  let broken = false;
  const asked = new Set<string>();
  await page.routeWebSocket(/^ws:\/\/127\.0\.0\.1/, (line) => {
    const host = line.connectToServer();
    line.onMessage((message) => {
      const text = String(message);
      if (broken && text.includes('"calls.list"')) asked.add(text.split(' ', 1)[0] ?? '');
      host.send(message);
    });
    host.onMessage((message) => {
      const text = String(message);
      const isCut = asked.delete(text.split(' ', 1)[0] ?? '') || (broken && text.includes('"calls.changed"'));
      line.send(isCut ? text.slice(0, -2) : message);
    });
  });
  await page.reload();
  await expect(shell.status).toContainText(/fingerprint|session only/);
  broken = true;
  await shell.goTo('History');
  await expect(shell.main.getByRole('alert')).toContainText('An error in Croupier stopped this.');
  await expect(shell.fault).toContainText(/SyntaxError: .*What you typed is kept\. Try again;/);
  await expect(shell.loading).toHaveCount(0);
  await shell.goTo('Requests');
  await requests.send.click();
  await expect(response.code).toHaveText('0 ok');
  await expect(shell.fault).toHaveCount(1);
  broken = false;
  await shell.goTo('History');
  await expect(history.rows).toHaveCount(1);
});
