import { startAnalytics } from './analytics.ts';
import { startAppearance } from './appearance.ts';
import { startAssistantOpener } from './assistant-opener.ts';
import { startBanner } from './banner.ts';
import { startCodeHints } from './content/code-hints.ts';
import { startEndpointCopy } from './content/copy-button.ts';
import { DocentCode } from './content/docent-code.ts';
import { DocentColor } from './content/docent-color.ts';
import { DocentMermaid } from './content/docent-mermaid.ts';
import { DocentPrompt } from './content/docent-prompt.ts';
import { DocentTabs } from './content/docent-tabs.ts';
import { DocentTooltip } from './content/docent-tooltip.ts';
import { DocentTree } from './content/docent-tree.ts';
import { DocentUpdate } from './content/docent-update.ts';
import { DocentView } from './content/docent-view.ts';
import { startImageActions } from './content/image-actions.ts';
import { startImageZoom } from './content/image-zoom.ts';
import { startScrollableRegions } from './content/scrollable-regions.ts';
import { startDrawer, startTocPopover } from './drawer.ts';
import { startIntegrations } from './integrations.ts';
import { startMenus } from './menus.ts';
import { startNavigation } from './navigation/navigate.ts';
import { startPageActions } from './page-actions.ts';
import { startPageFeedback } from './page-feedback.ts';
import { startPlaygroundOpener } from './playground-opener.ts';
import { startAccordionHash, startRevealTarget } from './reveal-target.ts';
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

// Tabs and views come first: revealing the URL's target needs them.
customElements.define('docent-tabs', DocentTabs);
customElements.define('docent-view', DocentView);
customElements.define('docent-code', DocentCode);
customElements.define('docent-tooltip', DocentTooltip);
customElements.define('docent-tree', DocentTree);
customElements.define('docent-update', DocentUpdate);
customElements.define('docent-color', DocentColor);
customElements.define('docent-prompt', DocentPrompt);
customElements.define('docent-mermaid', DocentMermaid);

startAccordionHash();
startRevealTarget();
startImageZoom();
startImageActions();
startCodeHints();
startEndpointCopy();
