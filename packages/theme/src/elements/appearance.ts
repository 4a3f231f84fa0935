import { APPEARANCE_KEY, BANNER_KEY } from '../view/shared-names.ts';
import { onClick } from './dom.ts';
import { closeMenu } from './menus.ts';
import { onEachPage } from './navigation/page-lifecycle.ts';
import { readStored, writeStored } from './storage.ts';

const CHOICE = '[data-appearance-choice]';
const root = document.documentElement;
const systemDark = matchMedia('(prefers-color-scheme: dark)');
/** Printed pages always use the light appearance. */
const printing = matchMedia('print');

function paint(): undefined {
  const choice = root.dataset.appearance;
  const dark = choice === 'dark' || (choice !== 'light' && systemDark.matches);
  root.classList.toggle('dark', dark && !printing.matches);
  for (const button of document.querySelectorAll<HTMLElement>(CHOICE)) {
    button.setAttribute('aria-pressed', String(button.dataset.appearanceChoice === choice));
  }
}

/**
 * The menu of light, dark and system; follows the system and other windows of the same site while
 * the page is open.
 */
export function startAppearance(): void {
  systemDark.addEventListener('change', paint);
  printing.addEventListener('change', paint);
  if (!document.querySelector(CHOICE)) return;
  onEachPage(paint);
  onClick(CHOICE, (button) => {
    const choice = button.dataset.appearanceChoice ?? '';
    root.dataset.appearance = choice;
    writeStored('local', APPEARANCE_KEY, choice);
    paint();
    const menu = button.closest('details');
    if (menu) closeMenu(menu, true);
  });
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
