import { DocentPrompt, startColorCopy, startEndpointCopy } from '../content/copy-elements.ts';
import { DocentMermaid } from '../content/docent-mermaid.ts';
import { DocentTabs, DocentView, startViews } from '../content/docent-tabs.ts';
import { startTreeKeys } from '../content/docent-tree.ts';
import { startUpdateFilter } from '../content/docent-update.ts';
import { DocentTooltip, startExplanations, startHintKeys } from '../content/explanations.ts';
import { startImageActions, startImageZoom } from '../content/images.ts';
import { addStyles } from '../dom.ts';
import { runAll } from '../run-all.ts';

/** Of images, and the buttons on them. */
declare const STYLES: string;

/* What pages with certain components load before `site.js`, which reveals the URL's target. */

addStyles(STYLES);
customElements.define('docent-tabs', DocentTabs);
customElements.define('docent-view', DocentView);
customElements.define('docent-tooltip', DocentTooltip);
customElements.define('docent-prompt', DocentPrompt);
customElements.define('docent-mermaid', DocentMermaid);

runAll([
  startViews,
  startUpdateFilter,
  startImageZoom,
  startImageActions,
  startHintKeys,
  startTreeKeys,
  startExplanations,
  startColorCopy,
  startEndpointCopy,
]);
