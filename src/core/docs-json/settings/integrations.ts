import { z } from 'zod';
import { about, withoutEffect } from '../annotations.ts';
import type { Setting } from './setting.ts';

const NOTHING_LOADED = 'a page loads nothing from other origins, so this script is not loaded';

const TRACKERS: readonly (readonly [name: string, fields: string])[] = [
  ['adobe', 'launchUrl'],
  ['amplitude', 'apiKey'],
  ['clarity', 'projectId'],
  ['clearbit', 'publicApiKey'],
  ['fathom', 'siteId'],
  ['frontchat', 'snippetId'],
  ['ga4', 'measurementId'],
  ['gtm', 'tagId'],
  ['heap', 'appId'],
  ['hightouch', 'writeKey apiHost'],
  ['hotjar', 'hjid hjsv'],
  ['intercom', 'appId'],
  ['koala', 'publicApiKey'],
  ['logrocket', 'appId'],
  ['mixpanel', 'projectToken'],
  ['osano', 'scriptSource'],
  ['pirsch', 'id'],
  ['plausible', 'domain server'],
  ['posthog', 'apiKey apiHost sessionRecording'],
  ['segment', 'key writeKey'],
  ['transcend', 'bundleId'],
];

function tracker([name, fields]: readonly [string, string]) {
  const shape = Object.fromEntries(fields.split(' ').map((field) => [field, z.unknown().optional()]));
  return [name, withoutEffect(z.object(shape), NOTHING_LOADED).optional()];
}

/** `integrations`: scripts of other services. None is loaded. */
export const integrations: Setting<{ telemetry?: { enabled?: boolean | undefined } | undefined }> = {
  schema: about(
    z.object({
      ...Object.fromEntries(TRACKERS.map(tracker)),
      telemetry: about(
        z.object({
          enabled: about(
            z.boolean(),
            'Whether pages send what readers do and say to the site itself: web analytics and feedback.',
          ).optional(),
        }),
        'What pages send to the site itself.',
      ).optional(),
      cookies: withoutEffect(
        z.object({ key: z.string().optional(), value: z.string().optional() }),
        'nothing is loaded that needs consent',
      ).optional(),
    }),
    'Scripts of other services. None of them is loaded.',
  ),
  fallback: {},
};
