import { addStyles } from '../dom.ts';
import { offerScript } from '../page-scripts.ts';
import { startIntegrations } from './integrations.ts';
import { sendFeedback } from './page-feedback.ts';
import { startSelectionAsk } from './selection-ask.ts';

/** Of what it adds to a page. */
declare const STYLES: string;

addStyles(STYLES);
offerScript('later', { startIntegrations, startSelectionAsk, sendFeedback });
