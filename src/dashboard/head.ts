import { requestSitesEarly } from './api/early-sites.ts';
import { followTheme } from './ui/theme.ts';

// A script of its own, which runs before the first paint.
followTheme();
const { org, pictures } = (document.currentScript as HTMLScriptElement).dataset;
if (org !== undefined) requestSitesEarly(org, pictures !== undefined);
