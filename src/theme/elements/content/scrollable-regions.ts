import { onEachPage } from '../navigation/page-lifecycle.ts';

/** What may be wider than its place and then scrolls in it. */
const SCROLLERS = '.d-table, .d-prose pre, .d-aside pre';

/** Whatever scrolls sideways can be reached and scrolled by the keyboard too, and only as long as it scrolls. */
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
