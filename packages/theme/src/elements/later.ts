import { startIntegrations } from './integrations.ts';
import { rate, sendFeedback } from './page-feedback.ts';
import { offerScript } from './page-scripts.ts';
import { startSelectionAsk } from './selection-ask.ts';

offerScript('later', { startIntegrations, startSelectionAsk, rate, sendFeedback });
