import { startAnalytics } from './analytics.ts';
import { startAppearance } from './appearance.ts';
import { startAssistantOpener } from './assistant-opener.ts';
import { startBanner } from './banner.ts';
import { startScrollableRegions } from './content/scrollable-regions.ts';
import { startDrawer, startTocPopover } from './drawer.ts';
import { startIntegrations } from './integrations.ts';
import { startMenus } from './menus.ts';
import { startNavigation } from './navigation/navigate.ts';
import { startPageActions } from './page-actions.ts';
import { startPageFeedback } from './page-feedback.ts';
import { startPlaygroundOpener } from './playground-opener.ts';
import { startSearchOpener } from './search/search-opener.ts';
import { startSidebarScroll } from './sidebar-scroll.ts';
import { startTocHighlight } from './toc-highlight.ts';

const starts = [
  // Before the others, because it records the server's markup.
  startNavigation,
  startSidebarScroll,
  startAppearance,
  startMenus,
  startDrawer,
  startTocPopover,
  startSearchOpener,
  startAssistantOpener,
  startPlaygroundOpener,
  startBanner,
  startPageActions,
  startPageFeedback,
  startTocHighlight,
  startScrollableRegions,
  startAnalytics,
  startIntegrations,
];

// A part that fails, for example on markup that a site's own script has changed, must not affect the others.
for (const start of starts) {
  try {
    start();
  } catch (error) {
    reportError(error);
  }
}
