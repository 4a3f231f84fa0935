import { startRevealTarget } from '../reveal-target.ts';
import { startAccordionHash } from './accordion-hash.ts';
import { startCodeHints } from './code-hints.ts';
import { DocentCode } from './docent-code.ts';
import { DocentColor } from './docent-color.ts';
import { DocentMermaid } from './docent-mermaid.ts';
import { DocentPrompt } from './docent-prompt.ts';
import { DocentTabs } from './docent-tabs.ts';
import { DocentTooltip } from './docent-tooltip.ts';
import { DocentTree } from './docent-tree.ts';
import { DocentUpdate } from './docent-update.ts';
import { DocentView } from './docent-view.ts';
import { startEndpointCopy } from './endpoint-copy.ts';
import { startImageActions } from './image-actions.ts';
import { startImageZoom } from './image-zoom.ts';

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
