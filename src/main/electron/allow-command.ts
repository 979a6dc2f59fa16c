import { BrowserWindow, dialog } from 'electron';

/** Asks in a dialog of the system, which no page can answer, whether a program may run when games of an environment are launched. */
export async function allowCommand(environmentName: string, command: string): Promise<boolean> {
  const question = {
    type: 'warning' as const,
    message: `May launches in ${environmentName} run a program for their session tokens?`,
    detail: `${command}\n\nCroupier runs it, as you, whenever a launch takes its token from the command.`,
    buttons: ['Allow', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  };
  const [window] = BrowserWindow.getAllWindows();
  const { response } = await (window === undefined ? dialog.showMessageBox(question) : dialog.showMessageBox(window, question));
  return response === 0;
}
