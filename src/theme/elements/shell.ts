import { startAppearance } from './appearance.ts';
import { startBanner } from './banner.ts';
import { startCopyPage } from './copy-page.ts';
import { startDrawer, startTocPopover } from './drawer.ts';
import { startMenus } from './menus.ts';
import { startPrefetch } from './prefetch.ts';
import { startScrollableRegions } from './scrollable-regions.ts';
import { startSearchOpener } from './search-opener.ts';
import { startSidebarScroll } from './sidebar-scroll.ts';
import { startTocHighlight } from './toc-highlight.ts';

const starts = [
  startSidebarScroll,
  startAppearance,
  startMenus,
  startDrawer,
  startTocPopover,
  startSearchOpener,
  startBanner,
  startCopyPage,
  startTocHighlight,
  startScrollableRegions,
  startPrefetch,
];

// One part that fails, for example on markup that a site's own script has changed, must not take the others with it.
for (const start of starts) {
  try {
    start();
  } catch (error) {
    reportError(error);
  }
}
