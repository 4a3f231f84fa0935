import { z } from 'zod';
import { notes, requestLimit, wholeNumber } from './setting.ts';

/** Settings of static exports, and of the builds that they are made from. */
export const exportSettings = {
  DOCENT_BUNDLE_LINK_SECONDS: wholeNumber(900, 604_800).prefault('86400').register(notes, {
    expected: 'a whole number of seconds, 900 to 604800',
    meaning: 'How long the link to an exported bundle works.',
  }),
  DOCENT_EXPORTS_PER_ORGANISATION: wholeNumber(1, 1000).prefault('2').register(notes, {
    expected: 'a whole number, 1 to 1000',
    meaning: 'Exports of one organisation that are made at a time; further ones wait in the order of their start.',
  }),
  DOCENT_EXPORTS_PER_PROCESS: wholeNumber(1, 64).prefault('3').register(notes, {
    expected: 'a whole number, 1 to 64',
    meaning: 'Exports that one process makes at a time.',
  }),
  DOCENT_EXPORT_RETENTION_DAYS: wholeNumber(1, 36_500).prefault('30').register(notes, {
    expected: 'a whole number of days, 1 or more',
    meaning: 'How long the bundle of an export is kept. Its job stays in the list.',
  }),
  DOCENT_KEPT_DEPLOYMENTS: wholeNumber(1, 10_000).prefault('10').register(notes, {
    expected: 'a whole number, 1 to 10000',
    meaning: 'How many builds of a site are kept, counted from the newest. Live and exported ones always are.',
  }),
  DOCENT_BUNDLE_SIGNING_KEY: z.string().optional().register(notes, {
    expected: 'a file',
    meaning: 'File of the secret key that signs exported bundles; `docent signing-key` makes one.',
  }),
  DOCENT_LIMIT_EXPORTS_PER_ORGANISATION_HOUR: requestLimit(
    '10',
    'Exports of a project (`/v1/static-export/{projectId}/jobs`) that an organisation may start in an hour.',
  ),
};
