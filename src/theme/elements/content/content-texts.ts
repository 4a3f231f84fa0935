import type { ClientData } from '../../parts/client-data.ts';
import { pageData } from '../page-data.ts';

/** The labels of the controls in articles, in the language of the page. */
export function contentTexts(): ClientData['messages'] {
  return pageData().messages;
}
