import { fetchPage, isFetched } from './page-cache.ts';
import { pageLink } from './page-link.ts';

const DELAY_MS = 60;

interface Connection {
  saveData?: boolean;
}

/** Prefetches a page when the pointer or the focus rests on a link to it, so that it is ready on click. */
export function startPrefetch(): void {
  const { connection } = navigator as Navigator & { connection?: Connection };
  if (connection?.saveData) return;
  let timer = 0;
  const consider = (event: Event, delayMs: number): void => {
    clearTimeout(timer);
    const target = pageLink(event.target);
    if (!target || isFetched(target)) return;
    timer = setTimeout(() => void fetchPage(target, 'low'), delayMs);
  };
  document.addEventListener('pointerover', (event) => consider(event, DELAY_MS), { passive: true });
  document.addEventListener('focusin', (event) => consider(event, DELAY_MS));
  document.addEventListener('touchstart', (event) => consider(event, 0), { passive: true });
}
