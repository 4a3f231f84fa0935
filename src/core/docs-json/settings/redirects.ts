import { z } from 'zod';
import { about } from '../annotations.ts';
import { href, listOf } from '../schema-parts.ts';
import type { SiteConfig } from '../site-config.ts';
import type { Setting } from './setting.ts';

const SOURCE_TEXT = 'a site path without "#" and "?", such as "/old/:slug*"';
const PARAMETER = /:([A-Za-z_]\w*)/g;

const source = z
  .string({ error: SOURCE_TEXT })
  .trim()
  .regex(/^(?![a-z][a-z0-9+.-]*:\/\/)[^#?]+$/i, { error: SOURCE_TEXT })
  .transform((path) => (path.startsWith('/') ? path : `/${path}`));

const rule = z
  .object({
    source: about(source, 'The old path. ":name" matches one segment, ":name*" several, "prefix-*" the rest of a segment.'),
    destination: about(href, 'The destination path or URL, which can contain parameters of the source.'),
    permanent: about(z.boolean(), 'Whether the move is permanent (308) or temporary (307).').default(true),
  })
  .refine(({ source, destination }) => source !== destination, { error: 'a destination that differs from the source' })
  .refine(({ source, destination }) => parameters(destination).isSubsetOf(parameters(source)), {
    error: 'a destination whose parameters (":name") all appear in the source',
    path: ['destination'],
  });

function parameters(pattern: string): Set<string> {
  const path = pattern.replace(/^https?:\/\/[^/?#]*/i, '');
  return new Set(Array.from(path.matchAll(PARAMETER), (match) => match[1] as string));
}

/** `redirects`: old paths and their new destinations; permanent ones (the default) respond with 308, others with 307. */
export const redirects: Setting<SiteConfig['redirects']> = {
  schema: about(listOf(rule), 'Redirects from old paths.'),
  fallback: [],
};
