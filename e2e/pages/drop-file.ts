import type { Locator } from '@playwright/test';

/** Drops a file on an element, as a person drags it there from a folder. */
export async function dropFile(target: Locator, name: string, text: string): Promise<void> {
  const dataTransfer = await target.page().evaluateHandle(
    ([fileName, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], fileName));
      return transfer;
    },
    [name, text] as const,
  );
  await target.dispatchEvent('drop', { dataTransfer });
}
