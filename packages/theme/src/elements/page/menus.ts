import { itemOfLetter, onClick } from '../dom.ts';
import { onEachPage } from '../navigation/page-lifecycle.ts';

const MENU = 'details[data-menu]';

/** Closes a menu. */
export function closeMenu(menu: HTMLDetailsElement, focusBack: boolean): void {
  menu.open = false;
  if (focusBack) menu.querySelector('summary')?.focus();
}

function itemsOf(menu: Element): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('ul a[href], ul button')];
}

/** Returns the target of a key among the items; undefined for other keys. */
function target(key: string, items: readonly HTMLElement[], at: number): HTMLElement | undefined {
  const { length } = items;
  if (key === 'ArrowDown') return items[at < 0 ? 0 : (at + 1) % length];
  if (key === 'ArrowUp') return items[at < 0 ? length - 1 : (at - 1 + length) % length];
  if (at < 0) return undefined;
  if (key === 'Home') return items[0];
  if (key === 'End') return items[length - 1];
  return itemOfLetter(key, items, at);
}

function onKey(event: KeyboardEvent): void {
  const menu = (event.target as Element).closest<HTMLDetailsElement>(MENU);
  if (!menu || event.ctrlKey || event.metaKey || event.altKey) return;
  const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
  if (!menu.open && !isArrow) return;
  menu.open = true;
  const items = itemsOf(menu).filter((item) => item.checkVisibility());
  const item = target(event.key, items, items.indexOf(document.activeElement as HTMLElement));
  if (!item) return;
  event.preventDefault();
  item.focus();
}

/**
 * The page menu performs actions instead of linking, so with scripts it is a menu button of the
 * ARIA Authoring Practices. The version and language switches are links and stay disclosures.
 */
function nameRoles(): undefined {
  for (const menu of document.querySelectorAll('details[data-menu="actions"]')) {
    menu.querySelector('summary')?.setAttribute('aria-haspopup', 'menu');
    menu.querySelector('ul')?.setAttribute('role', 'menu');
    for (const row of menu.querySelectorAll('li')) row.setAttribute('role', 'none');
    for (const item of itemsOf(menu)) item.setAttribute('role', 'menuitem');
  }
}

/**
 * Without scripts, menus are plain disclosures; this adds closing by an outside click and by
 * Escape, and the keys of a menu.
 */
export function startMenus(): void {
  const opened = (): HTMLDetailsElement[] => [
    ...document.querySelectorAll<HTMLDetailsElement>(`${MENU}[open]`),
  ];
  const closeOthers = (event: Event): void => {
    for (const menu of opened()) if (!menu.contains(event.target as Node)) closeMenu(menu, false);
  };
  document.addEventListener('click', closeOthers);
  document.addEventListener('focusin', closeOthers);
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return onKey(event);
    for (const menu of opened()) closeMenu(menu, menu.contains(document.activeElement));
  });
  onEachPage(nameRoles);
}

function isDrawer(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLElement && target.id === 'mobile-nav';
}

function setInert(inert: boolean): void {
  for (const element of document.querySelectorAll<HTMLElement>(
    '#navbar, #banner, .d-body, .d-skip',
  ))
    element.inert = inert;
}

/**
 * The drawer is a popover: opening, closing by Escape and restoring focus are built in. This makes
 * the page behind it inert while it is open, and closes it when the window becomes wide enough for
 * the column.
 */
export function startDrawer(): void {
  // Before it closes, because closing restores the focus, which fails on inert elements.
  document.addEventListener(
    'beforetoggle',
    (event) => {
      if (isDrawer(event.target) && (event as ToggleEvent).newState === 'closed') setInert(false);
    },
    true,
  );
  document.addEventListener(
    'toggle',
    (event) => {
      const drawer = event.target;
      if (!isDrawer(drawer) || (event as ToggleEvent).newState !== 'open') return;
      setInert(true);
      drawer.querySelector<HTMLElement>('[popovertarget]')?.focus();
      drawer.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'center' });
    },
    true,
  );
  matchMedia('(width >= 64rem)').addEventListener('change', (change) => {
    const drawer = document.getElementById('mobile-nav');
    if (change.matches && drawer?.matches(':popover-open')) drawer.hidePopover();
  });
}

/** Choosing a heading in the list of a small screen closes that list. */
export function startTocPopover(): void {
  onClick('#table-of-contents:popover-open a', (link) =>
    link.closest<HTMLElement>('#table-of-contents')?.hidePopover(),
  );
}
