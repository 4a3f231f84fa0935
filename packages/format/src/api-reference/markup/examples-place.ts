import { trustedHtml } from '../../html.ts';

/**
 * Marks where the examples of an endpoint go if there is no room beside the text: after the
 * introduction, before the fields. A comment, so that it is invisible on a page without examples.
 */
export const examplesPlace = trustedHtml('<!--examples-->');
