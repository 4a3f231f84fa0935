/**
 * A file tree: folders are `<details>`, so it works without this. Adds keyboard navigation: up and down move over visible
 * entries, right opens or enters, left closes or leaves, Home, End, `*` opens all siblings, letters find a name.
 */
export class DocentTree extends HTMLElement {
  #listening = false;

  connectedCallback(): void {
    if (this.#listening) return;
    this.#listening = true;
    this.addEventListener('keydown', (event) => this.#onKey(event));
  }

  get #summaries(): HTMLElement[] {
    return [...this.querySelectorAll('summary')].filter((summary) => summary.checkVisibility());
  }

  #onKey(event: KeyboardEvent): void {
    const current = (event.target as Element).closest('summary');
    if (!current || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = this.#target(event.key, current);
    if (target === undefined) return;
    event.preventDefault();
    target.focus();
  }

  /**
   * Returns the target of a key: another folder, or the same one if it only opened or closed something; undefined for other keys.
   */
  #target(key: string, current: HTMLElement): HTMLElement | undefined {
    const folder = current.parentElement as HTMLDetailsElement;
    const all = this.#summaries;
    const index = all.indexOf(current);
    if (key === 'ArrowDown') return all[index + 1] ?? current;
    if (key === 'ArrowUp') return all[index - 1] ?? current;
    if (key === 'Home') return all[0];
    if (key === 'End') return all.at(-1);
    if (key === 'ArrowRight')
      return setOpen(folder, true) ? current : (folder.querySelector<HTMLElement>('ul summary') ?? current);
    if (key === 'ArrowLeft') return setOpen(folder, false) ? current : (parentSummary(folder) ?? current);
    if (key === '*') {
      for (const sibling of folder.closest('ul')?.querySelectorAll<HTMLDetailsElement>(':scope > li > details') ?? [])
        sibling.open = true;
      return current;
    }
    return key.length === 1 && key !== ' ' ? this.#named(key, all, index) : undefined;
  }

  #named(letter: string, all: readonly HTMLElement[], index: number): HTMLElement | undefined {
    const after = [...all.slice(index + 1), ...all.slice(0, index)];
    return after.find((summary) => summary.textContent?.trim().toLowerCase().startsWith(letter.toLowerCase()));
  }
}

/** Opens or closes a folder; returns whether that changed it. */
function setOpen(folder: HTMLDetailsElement, isOpen: boolean): boolean {
  const hasChanged = folder.open !== isOpen;
  folder.open = isOpen;
  return hasChanged;
}

function parentSummary(folder: HTMLElement): HTMLElement | null {
  return folder.parentElement?.closest('details')?.querySelector<HTMLElement>(':scope > summary') ?? null;
}
