import { onEachPage } from '../navigation/page-lifecycle.ts';

/** Elements that may overflow horizontally. */
const SCROLLERS = '.d-table, .d-prose pre, .d-aside pre';

/** Makes horizontally scrolling regions focusable while they scroll, so that the keyboard can scroll them too. */
export function startScrollableRegions(): void {
  const update = (element: Element): void => {
    const region = element as HTMLElement;
    if (region.scrollWidth > region.clientWidth + 1) region.tabIndex = 0;
    else if (region.matches('.d-table')) region.removeAttribute('tabindex');
  };
  const observer = new ResizeObserver((changes) => {
    for (const change of changes) update(change.target);
  });
  onEachPage(() => {
    for (const region of document.querySelectorAll(SCROLLERS)) observer.observe(region);
    return () => observer.disconnect();
  });
}
