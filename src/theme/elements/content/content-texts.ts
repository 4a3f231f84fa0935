import type { ClientData } from '../../parts/client-data.ts';
import { pageData } from '../page-data.ts';

/** The words of the controls that the elements of an article make, in the language of the page. */
export function contentTexts(): ClientData['messages'] {
  return pageData().messages;
}
