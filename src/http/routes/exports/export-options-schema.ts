import { z } from 'zod';
import { isBasePath, isEndpointAddress } from '../../../core/exports/option-forms.ts';
import { plainText } from '../plain-text.ts';

const basePath = z
  .string()
  .refine(isBasePath, 'must be empty, or a path such as "/docs" without a slash at its end')
  .describe(
    'Path that the bundle will be served under, such as `/docs`. Redirect files and `404.html` are written with it. Empty for the root of a domain.',
  );

const endpoint = z
  .string()
  .refine(
    isEndpointAddress,
    'must be an http or https address, or a path from the root of the site such as "/_docent/assistant"',
  );

/** Options of the bundle besides the site. */
export const exportOptionFields = {
  version: plainText(1, 256)
    .optional()
    .describe('Export only this version, and pages without a version. By default, all versions.'),
  language: plainText(1, 64)
    .optional()
    .describe('Export only this language, and pages without a language. By default, all languages.'),
  paths: z
    .array(plainText(0, 2048))
    .min(1)
    .max(10_000)
    .optional()
    .describe('Paths of the pages to export. By default, all pages.'),
  omittedLinks: z
    .enum(['live', 'text'])
    .optional()
    .describe(
      'How links to pages outside the bundle are exported: `live` links to the live site, `text` turns them into plain text. Default: `live`.',
    ),
  basePath: basePath.optional(),
  assistantUrl: endpoint
    .optional()
    .describe(
      'Address of the assistant API for the pages of the bundle: absolute, or a path on the same host. Without it, the bundle shows no assistant.',
    ),
  analyticsUrl: endpoint
    .optional()
    .describe('Address that the pages of the bundle send analytics events to. Without it, they send none.'),
};

export const idempotencyHeaders = z.object({
  'idempotency-key': plainText(1, 255)
    .optional()
    .describe(
      'A unique value of your choice. Repeating the request with the same value returns the first job instead of starting another.',
    ),
});
