import type { Workbench } from './workbench.ts';

/** Makes a check, or a variable, of the value at the cursor of the response in sight. */
export async function makeOfValue(workbench: Workbench, as: 'check' | 'take'): Promise<void> {
  const { checkValue, takeValue } = await import('./response-value.ts');
  (as === 'check' ? checkValue : takeValue)(workbench);
}

/** Opens a call as a request with checks of its response. */
export async function checkOfCall(workbench: Workbench, id: number): Promise<void> {
  await (await import('./response-value.ts')).checkCall(workbench, id);
}
