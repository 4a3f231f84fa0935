import { itemOfLetter } from '../dom.ts';

/**
 * File trees: folders are `<details>`, so they work without this. Adds keyboard navigation: up and
 * down move over visible entries, right opens or enters, left closes or leaves, Home, End, `*`
 * opens all siblings, letters find a name.
 */
export function startTreeKeys(): void {
  document.addEventListener('keydown', (event) => {
    const current = (event.target as Element).closest<HTMLElement>('docent-tree summary');
    if (!current || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = targetOf(event.key, current);
    if (target === undefined) return;
    event.preventDefault();
    target.focus();
  });
}

/**
 * Returns the target of a key: another folder, or the same one if it only opened or closed
 * something; undefined for other keys.
 */
function targetOf(key: string, current: HTMLElement): HTMLElement | undefined {
  const folder = current.parentElement as HTMLDetailsElement;
  const summaries = current.closest('docent-tree')?.querySelectorAll('summary') ?? [];
  const all = [...summaries].filter((summary) => summary.checkVisibility());
  const index = all.indexOf(current);
  if (key === 'ArrowDown') return all[index + 1] ?? current;
  if (key === 'ArrowUp') return all[index - 1] ?? current;
  if (key === 'Home') return all[0];
  if (key === 'End') return all.at(-1);
  if (key === 'ArrowRight')
    return setOpen(folder, true)
      ? current
      : (folder.querySelector<HTMLElement>('ul summary') ?? current);
  if (key === 'ArrowLeft')
    return setOpen(folder, false) ? current : (parentSummary(folder) ?? current);
  if (key === '*') {
    for (const sibling of folder
      .closest('ul')
      ?.querySelectorAll<HTMLDetailsElement>(':scope > li > details') ?? [])
      sibling.open = true;
    return current;
  }
  return itemOfLetter(key, all, index);
}

/** Opens or closes a folder; returns whether that changed it. */
function setOpen(folder: HTMLDetailsElement, isOpen: boolean): boolean {
  const hasChanged = folder.open !== isOpen;
  folder.open = isOpen;
  return hasChanged;
}

function parentSummary(folder: HTMLElement): HTMLElement | null {
  return (
    folder.parentElement?.closest('details')?.querySelector<HTMLElement>(':scope > summary') ?? null
  );
}
