import { z } from 'zod';
import { notes, requestLimit, wholeNumber } from './setting.ts';

/** Settings of publishing: what one build may use, and how many run at a time. */
export const publishSettings = {
  DOCENT_BUILD_CPU_SECONDS: wholeNumber(1, 86_400, 'seconds').prefault('300').register(notes, {
    meaning: 'Maximum CPU time of one build, across all its threads. Beyond it, publishing fails.',
  }),
  DOCENT_BUILD_WALL_SECONDS: wholeNumber(1, 86_400, 'seconds').prefault('600').register(notes, {
    meaning: 'Maximum duration of one build. Beyond it, publishing fails.',
  }),
  DOCENT_BUILD_MEMORY_MB: wholeNumber(256, 1_048_576, 'MB').prefault('4096').register(notes, {
    meaning: 'Maximum memory of the process of one build. Beyond it, publishing fails.',
  }),
  DOCENT_PUBLISHES_PER_ORGANISATION: wholeNumber(1, 1000).prefault('1').register(notes, {
    meaning: 'Maximum concurrent builds of one organization; further ones wait in order, and organizations take turns.',
  }),
  DOCENT_PUBLISHES_PER_PROCESS: wholeNumber(1, 64).prefault('2').register(notes, {
    meaning: 'Maximum concurrent builds of one process.',
  }),
  DOCENT_UPLOADS_PER_ORGANISATION: wholeNumber(1, 1000).prefault('10').register(notes, {
    meaning: 'Maximum concurrent uploads of one organization to one process; further ones are refused.',
  }),
  DOCENT_UPLOAD_MIN_BYTES_PER_SECOND: wholeNumber(1, 1_000_000_000, 'bytes').prefault('1024').register(notes, {
    meaning: 'Minimum bytes per second of an upload. An upload that falls behind is aborted.',
  }),
  DOCENT_UPLOAD_GRACE_SECONDS: wholeNumber(1, 3600, 'seconds').prefault('20').register(notes, {
    meaning: 'How many seconds an upload may fall behind.',
  }),
  DOCENT_SITES_PER_ORGANISATION: wholeNumber(1, 1_000_000).prefault('1000').register(notes, {
    meaning: 'Maximum number of sites of an organization.',
  }),
  DOCENT_STORAGE_MB_PER_ORGANISATION: wholeNumber(1, 1_000_000_000, 'MB').prefault('102400').register(notes, {
    meaning:
      'Storage quota of an organization: uploaded sources, builds and bundles. Builds that are not live are deleted first.',
  }),
  DOCENT_LIMIT_PUBLISHES_PER_ORGANISATION_HOUR: requestLimit(
    '60',
    'Uploads and rebuilds that an organization may start per hour. The local operator is not limited.',
  ),
};

const schema = z.object(publishSettings);

/** Returns the limits of publishing from the settings. */
export function publishingFrom(values: z.output<typeof schema>) {
  return {
    budget: {
      cpuSeconds: values.DOCENT_BUILD_CPU_SECONDS,
      wallSeconds: values.DOCENT_BUILD_WALL_SECONDS,
      memoryMb: values.DOCENT_BUILD_MEMORY_MB,
    },
    perOrganisation: values.DOCENT_PUBLISHES_PER_ORGANISATION,
    perProcess: values.DOCENT_PUBLISHES_PER_PROCESS,
    uploads: {
      perOrganisation: values.DOCENT_UPLOADS_PER_ORGANISATION,
      minBytesPerSecond: values.DOCENT_UPLOAD_MIN_BYTES_PER_SECOND,
      graceSeconds: values.DOCENT_UPLOAD_GRACE_SECONDS,
    },
  };
}

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
