const MENU = 'details[data-menu]';

function close(menu: HTMLDetailsElement, focusBack: boolean): void {
  menu.open = false;
  if (focusBack) menu.querySelector('summary')?.focus();
}

function moveFocus(menu: HTMLDetailsElement, step: number): void {
  const items = [...menu.querySelectorAll<HTMLElement>('a[href], ul button')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? (step > 0 ? 0 : items.length - 1) : (at + step + items.length) % items.length;
  items[next]?.focus();
}

/** Menus work as bare disclosures without scripts; this adds closing from outside and by Escape, and the arrow keys. */
export function startMenus(): void {
  const opened = (): HTMLDetailsElement[] => [...document.querySelectorAll<HTMLDetailsElement>(`${MENU}[open]`)];
  document.addEventListener('click', (event) => {
    for (const menu of opened()) if (!menu.contains(event.target as Node)) close(menu, false);
  });
  document.addEventListener('focusin', (event) => {
    for (const menu of opened()) if (!menu.contains(event.target as Node)) close(menu, false);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      for (const menu of opened()) close(menu, menu.contains(document.activeElement));
      return;
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const menu = (event.target as Element).closest<HTMLDetailsElement>(MENU);
    if (!menu) return;
    event.preventDefault();
    menu.open = true;
    moveFocus(menu, event.key === 'ArrowDown' ? 1 : -1);
  });
}
