/**
 * Asks the user for files, of types such as `.json`. Returns false if the browser would not ask now, because nobody has just pressed a key or
 * clicked.
 */
export function chooseFiles(accept: string, take: (files: readonly File[]) => void): boolean {
  if (!navigator.userActivation.isActive) return false;
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.accept = accept;
  input.addEventListener('change', () => take([...(input.files ?? [])]));
  input.click();
  return true;
}
