import { z } from 'zod';
import { isBasePath, isEndpointAddress } from '../../../core/exports/option-forms.ts';
import { plainText } from '../plain-text.ts';

const basePath = z
  .string()
  .refine(isBasePath, 'must be empty, or a path such as "/docs" without a slash at its end')
  .describe('Where the bundle will be served, for redirect files and `404.html`; empty for the root of a domain.');

const endpoint = z
  .string()
  .refine(
    isEndpointAddress,
    'must be an http or https address, or a path from the root of the site such as "/_docent/assistant"',
  );

/** What may be said about the bundle besides the site. */
export const exportOptionFields = {
  version: plainText(1, 256).optional().describe('Label of one version; without it the whole site.'),
  language: plainText(1, 64).optional().describe('Code of one language; without it all of them.'),
  paths: z.array(plainText(0, 2048)).min(1).max(10_000).optional().describe('Pages to export; without it all of them.'),
  omittedLinks: z
    .enum(['live', 'text'])
    .optional()
    .describe('What a link to a page that is left out becomes: a link to the live site, or plain text.'),
  basePath: basePath.optional(),
  assistantUrl: endpoint
    .optional()
    .describe('Address of the assistant API for the pages of the bundle; without it, no assistant.'),
  analyticsUrl: endpoint.optional().describe('Address that the pages of the bundle send events to; without it, none are sent.'),
};

export const idempotencyHeaders = z.object({
  'idempotency-key': plainText(1, 255).optional().describe('The same request with the same key starts nothing new.'),
});
