import { z } from 'zod';
import { notes, requestLimit, wholeNumber } from './setting.ts';

/** Settings of static exports, and of the builds that they are made from. */
export const exportSettings = {
  DOCENT_BUNDLE_LINK_SECONDS: wholeNumber(900, 604_800, 'seconds').prefault('86400').register(notes, {
    meaning: 'Lifetime of the link to an exported bundle.',
  }),
  DOCENT_EXPORTS_PER_ORGANISATION: wholeNumber(1, 1000).prefault('2').register(notes, {
    meaning: 'Maximum concurrent exports of one organization; further ones wait in the order of their start.',
  }),
  DOCENT_EXPORTS_PER_PROCESS: wholeNumber(1, 64).prefault('3').register(notes, {
    meaning: 'Maximum concurrent exports of one process.',
  }),
  DOCENT_EXPORT_RETENTION_DAYS: wholeNumber(1, 36_500, 'days').prefault('30').register(notes, {
    meaning: 'Days for which the bundle of an export is kept. Its job stays in the list.',
  }),
  DOCENT_KEPT_DEPLOYMENTS: wholeNumber(1, 10_000).prefault('10').register(notes, {
    meaning: 'Number of builds of a site that are kept, newest first. Live and exported builds are always kept.',
  }),
  DOCENT_BUNDLE_SIGNING_KEY: z.string().optional().register(notes, {
    expected: 'a file',
    meaning: 'File of the secret key that signs exported bundles; create one with `docent signing-key`.',
  }),
  DOCENT_LIMIT_EXPORTS_PER_ORGANISATION_HOUR: requestLimit(
    '10',
    'Exports of a project (`/v1/static-export/{projectId}/jobs`) that an organization may start per hour.',
  ),
};
