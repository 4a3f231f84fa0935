import { APPEARANCE_KEY, BANNER_KEY } from '../../view/shared-names.ts';
import { button, make, onClick } from '../dom.ts';
import { onEachPage } from '../navigation/page-lifecycle.ts';
import { readStored, writeStored } from '../storage.ts';
import { closeMenu } from './menus.ts';

const MENU = 'details[data-kind="appearance"]';
const CHOICE = '[data-appearance-choice]';
/** The icon of each choice, whose label is in the menu's data. */
const CHOICES = { system: 'system', light: 'sun', dark: 'moon' };
const root = document.documentElement;
const systemDark = matchMedia('(prefers-color-scheme: dark)');
/** Printed pages always use the light appearance. */
const printing = matchMedia('print');

function choose(choice: string, menu: HTMLDetailsElement): void {
  root.dataset.appearance = choice;
  writeStored('local', APPEARANCE_KEY, choice);
  paint();
  closeMenu(menu, true);
}

function fillMenu(): undefined {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>(`${MENU}:not(:has(ul))`)) {
    const items = Object.entries(CHOICES).map(([choice, icon]) => {
      const item = button(
        'd-menu-item',
        () => choose(choice, menu),
        make('i', `d-i d-i-${icon}`),
        make('span', 'd-menu-label', menu.dataset[choice] ?? ''),
      );
      item.dataset.appearanceChoice = choice;
      return make('li', '', item);
    });
    menu.append(make('ul', 'd-menu', ...items));
  }
  return paint();
}

function paint(): undefined {
  const choice = root.dataset.appearance;
  const dark = choice === 'dark' || (choice !== 'light' && systemDark.matches);
  root.classList.toggle('dark', dark && !printing.matches);
  for (const item of document.querySelectorAll<HTMLElement>(CHOICE)) {
    item.setAttribute('aria-pressed', String(item.dataset.appearanceChoice === choice));
  }
}

/**
 * The menu of light, dark and system; follows the system and other windows of the same site while
 * the page is open.
 */
export function startAppearance(): void {
  systemDark.addEventListener('change', paint);
  printing.addEventListener('change', paint);
  if (!document.querySelector(MENU)) return;
  onEachPage(fillMenu);
  addEventListener('storage', (event) => {
    if (event.key !== APPEARANCE_KEY) return;
    root.dataset.appearance = readStored('local', APPEARANCE_KEY) ?? 'system';
    paint();
  });
}

/** A dismissed announcement stays away until its text changes. */
export function startBanner(): void {
  onClick('[data-banner-dismiss]', (button) => {
    const mark = button.dataset.bannerDismiss ?? '';
    document.documentElement.dataset.bannerDismissed = mark;
    writeStored('local', BANNER_KEY, mark);
  });
}
