import { expect, test } from './fixtures.ts';
import { createLauncher } from './pages/launcher.ts';
import { appendFileSync } from 'node:fs';
test.use({ doubleChromium: 'shell' });
for (let id = 9901; id <= 9916; id += 1)
  test(`fault ${id}`, async ({ workbench, shell }) => {
    workbench.troubles.expect(/./);
    const launcher = createLauncher(workbench);
    await shell.goTo('Launcher');
    await launcher.field('gameId').fill(String(id));
    await launcher.field('exitURL').fill('https://casino.example/lobby');
    await launcher.launch.click();
    const started = Date.now();
    await expect(launcher.verdict.rules.first()).toBeVisible();
    await expect(launcher.verdict.state).not.toHaveText('unfinished', { timeout: 40_000 });
    const ms = Date.now() - started;
    await new Promise((r) => setTimeout(r, 4000));
    if (id === 9908 || id === 9909) {
      const game = workbench
        .desktop!.app()
        .windows()
        .find((w) => w.url().includes('/game/'))!;
      if (id === 9908) await game.locator('#exit').click();
      else await game.locator('#spin').click();
      await new Promise((r) => setTimeout(r, 2000));
    }
    if (id === 9915) await new Promise((r) => setTimeout(r, 9000));
    const rules = (await launcher.verdict.rules.allInnerTexts()).map((t) => t.replaceAll('\n', ' '));
    appendFileSync('/tmp/faults.log', `${id} ${ms} ${await launcher.verdict.state.innerText()}\n  ${rules.join('\n  ')}\n`);
    if (id === 9911)
      appendFileSync(
        '/tmp/faults.log',
        (await launcher.entries.evaluateAll((all) => all.map((e) => e.getAttribute('title')))).join('\n---\n'),
      );
    if (id % 5 === 1) await workbench.page.screenshot({ path: `/tmp/v${id}.png` });
  });
