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
    if (key === 'ArrowRight') return this.#open(folder) ? current : (folder.querySelector<HTMLElement>('ul summary') ?? current);
    if (key === 'ArrowLeft') return this.#close(folder) ? current : (parentSummary(folder) ?? current);
    if (key === '*') {
      for (const sibling of folder.closest('ul')?.querySelectorAll<HTMLDetailsElement>(':scope > li > details') ?? [])
        sibling.open = true;
      return current;
    }
    return key.length === 1 && key !== ' ' ? this.#named(key, all, index) : undefined;
  }

  #open(folder: HTMLDetailsElement): boolean {
    const closed = !folder.open;
    folder.open = true;
    return closed;
  }

  #close(folder: HTMLDetailsElement): boolean {
    const { open } = folder;
    folder.open = false;
    return open;
  }

  #named(letter: string, all: readonly HTMLElement[], index: number): HTMLElement | undefined {
    const after = [...all.slice(index + 1), ...all.slice(0, index)];
    return after.find((summary) => summary.textContent?.trim().toLowerCase().startsWith(letter.toLowerCase()));
  }
}

function parentSummary(folder: HTMLElement): HTMLElement | null {
  return folder.parentElement?.closest('details')?.querySelector<HTMLElement>(':scope > summary') ?? null;
}
