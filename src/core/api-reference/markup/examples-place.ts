import { trustedHtml } from '../../html.ts';

/**
 * Where the examples of an endpoint stand when there is no room beside the text: after what the endpoint is, before its fields.
 * A comment, so that a page without examples shows nothing of it.
 */
export const examplesPlace = trustedHtml('<!--examples-->');
