import { onEachPage } from './navigation/page-lifecycle.ts';

const MENU = 'details[data-menu]';

function close(menu: HTMLDetailsElement, focusBack: boolean): void {
  menu.open = false;
  if (focusBack) menu.querySelector('summary')?.focus();
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('ul a[href], ul button')].filter((item) => item.checkVisibility());
}

/** Returns the target of a key among the items; undefined for other keys. */
function target(key: string, items: readonly HTMLElement[], at: number): HTMLElement | undefined {
  const { length } = items;
  if (key === 'ArrowDown') return items[at < 0 ? 0 : (at + 1) % length];
  if (key === 'ArrowUp') return items[at < 0 ? length - 1 : (at - 1 + length) % length];
  if (at < 0) return undefined;
  if (key === 'Home') return items[0];
  if (key === 'End') return items[length - 1];
  if (key.length !== 1 || key === ' ') return undefined;
  const after = [...items.slice(at + 1), ...items.slice(0, at)];
  return after.find((item) => item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()));
}

function onKey(event: KeyboardEvent): void {
  const menu = (event.target as Element).closest<HTMLDetailsElement>(MENU);
  if (!menu || event.ctrlKey || event.metaKey || event.altKey) return;
  const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
  if (!menu.open && !isArrow) return;
  menu.open = true;
  const items = itemsOf(menu);
  const item = target(event.key, items, items.indexOf(document.activeElement as HTMLElement));
  if (!item) return;
  event.preventDefault();
  item.focus();
}

/**
 * The page menu performs actions instead of linking, so with scripts it is a menu button of the ARIA Authoring Practices. The
 * version and language switches are links and stay disclosures.
 */
function nameRoles(): undefined {
  for (const menu of document.querySelectorAll('details[data-menu="actions"]')) {
    menu.querySelector('summary')?.setAttribute('aria-haspopup', 'menu');
    menu.querySelector('ul')?.setAttribute('role', 'menu');
    for (const row of menu.querySelectorAll('li')) row.setAttribute('role', 'none');
    for (const item of itemsOfClosed(menu)) item.setAttribute('role', 'menuitem');
  }
}

function itemsOfClosed(menu: Element): NodeListOf<HTMLElement> {
  return menu.querySelectorAll<HTMLElement>('ul a[href], ul button');
}

/** Without scripts, menus are plain disclosures; this adds closing by an outside click and by Escape, and the keys of a menu. */
export function startMenus(): void {
  const opened = (): HTMLDetailsElement[] => [...document.querySelectorAll<HTMLDetailsElement>(`${MENU}[open]`)];
  const closeOthers = (event: Event): void => {
    for (const menu of opened()) if (!menu.contains(event.target as Node)) close(menu, false);
  };
  document.addEventListener('click', closeOthers);
  document.addEventListener('focusin', closeOthers);
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return onKey(event);
    for (const menu of opened()) close(menu, menu.contains(document.activeElement));
  });
  onEachPage(nameRoles);
}
