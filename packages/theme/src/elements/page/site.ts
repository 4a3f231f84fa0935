import { startAnalytics } from '../analytics.ts';
import { DocentCode, startScrollableRegions } from '../content/docent-code.ts';
import { startSidebarScroll } from '../navigation/scroll-memory.ts';
import { startNavigation } from '../navigation/start-navigation.ts';
import { startWholeMenu } from '../navigation/whole-menu.ts';
import { findServices } from '../page-data.ts';
import { runAll } from '../run-all.ts';
import { startAppearance, startBanner } from './appearance.ts';
import { startDrawer, startMenus, startTocPopover } from './menus.ts';
import { startAssistantOpener, startPlaygroundOpener, startSearchOpener } from './on-demand.ts';
import { startPageActions } from './page-actions.ts';
import { startAccordionHash, startRevealTarget } from './reveal-target.ts';
import { startIntegrations, startPageFeedback } from './start-later.ts';
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
  startAccordionHash,
  startRevealTarget,
];
/** What depends on services of the server. */
const served = [startAssistantOpener, startAnalytics];

customElements.define('docent-code', DocentCode);

const services = findServices();
if (services) void services.then(() => runAll(served));
runAll(services ? starts : [...starts, ...served]);
