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

/** Limits of publishing. */
export interface PublishingConfig {
  /** What one build may use. */
  budget: { cpuSeconds: number; wallSeconds: number; memoryMb: number };
  perOrganisation: number;
  perProcess: number;
  uploads: { perOrganisation: number; minBytesPerSecond: number; graceSeconds: number };
}

/** Returns the limits of publishing from the settings. */
export function publishingFrom(values: z.output<typeof schema>): PublishingConfig {
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
