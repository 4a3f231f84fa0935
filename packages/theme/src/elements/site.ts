import { startAnalytics } from './analytics.ts';
import { startAppearance, startBanner } from './appearance.ts';
import { startEndpointCopy } from './content/copy-button.ts';
import { DocentPrompt, startColorCopy } from './content/copy-elements.ts';
import { DocentCode, startHintKeys, startScrollableRegions } from './content/docent-code.ts';
import { DocentMermaid } from './content/docent-mermaid.ts';
import { DocentTabs, DocentView, startViews } from './content/docent-tabs.ts';
import { startTreeKeys } from './content/docent-tree.ts';
import { startUpdateFilter } from './content/docent-update.ts';
import { DocentTooltip, startExplanations } from './content/explanations.ts';
import { startImageActions, startImageZoom } from './content/images.ts';
import { startIntegrations } from './integrations.ts';
import { startDrawer, startMenus, startTocPopover } from './menus.ts';
import { startNavigation } from './navigation/navigate.ts';
import { startSidebarScroll } from './navigation/scroll-memory.ts';
import { startWholeMenu } from './navigation/whole-menu.ts';
import { startAssistantOpener, startPlaygroundOpener, startSearchOpener } from './on-demand.ts';
import { startPageActions } from './page-actions.ts';
import { findServices } from './page-data.ts';
import { startPageFeedback } from './page-feedback.ts';
import { startAccordionHash, startRevealTarget } from './reveal-target.ts';
import { startTocHighlight } from './toc-highlight.ts';

const starts = [
  // Before the others, because it records the server's markup.
  startNavigation,
  startWholeMenu,
  startSidebarScroll,
  startAppearance,
  startMenus,
  startDrawer,
  startTocPopover,
  startSearchOpener,
  startPlaygroundOpener,
  startBanner,
  startPageActions,
  startPageFeedback,
  startTocHighlight,
  startScrollableRegions,
  startIntegrations,
];
/** What depends on services of the server. */
const served = [startAssistantOpener, startAnalytics];

// A part that fails, for example on markup that a site's own script has changed, must not affect
// the others.
function runAll(parts: readonly (() => void)[]): void {
  for (const start of parts) {
    try {
      start();
    } catch (error) {
      reportError(error);
    }
  }
}

const services = findServices();
if (services) void services.then(() => runAll(served));
runAll(services ? starts : [...starts, ...served]);

// Tabs and views come first: revealing the URL's target needs them.
customElements.define('docent-tabs', DocentTabs);
customElements.define('docent-view', DocentView);
customElements.define('docent-code', DocentCode);
customElements.define('docent-tooltip', DocentTooltip);
customElements.define('docent-prompt', DocentPrompt);
customElements.define('docent-mermaid', DocentMermaid);

startViews();
startUpdateFilter();
startAccordionHash();
startRevealTarget();
startImageZoom();
startImageActions();
startHintKeys();
startTreeKeys();
startExplanations();
startColorCopy();
startEndpointCopy();
