import { z } from 'zod';
import { notes, requestLimit, wholeNumber } from './setting.ts';

/** Settings of publishing: what one build may use, and how many there are at a time. */
export const publishSettings = {
  DOCENT_BUILD_CPU_SECONDS: wholeNumber(1, 86_400).prefault('300').register(notes, {
    expected: 'a whole number of seconds, 1 to 86400',
    meaning: 'CPU time that the build of one publish may use, in all its threads. Past it the publish fails.',
  }),
  DOCENT_BUILD_WALL_SECONDS: wholeNumber(1, 86_400).prefault('600').register(notes, {
    expected: 'a whole number of seconds, 1 to 86400',
    meaning: 'How long the build of one publish may take. Past it the publish fails.',
  }),
  DOCENT_BUILD_MEMORY_MB: wholeNumber(256, 1_048_576).prefault('4096').register(notes, {
    expected: 'a whole number of MB, 256 or more',
    meaning: 'Memory that the process of one build may use. Past it the publish fails.',
  }),
  DOCENT_PUBLISHES_PER_ORGANISATION: wholeNumber(1, 1000).prefault('1').register(notes, {
    expected: 'a whole number, 1 to 1000',
    meaning: 'Builds of one organisation that run at a time; further ones wait in order, and organisations take turns.',
  }),
  DOCENT_PUBLISHES_PER_PROCESS: wholeNumber(1, 64).prefault('2').register(notes, {
    expected: 'a whole number, 1 to 64',
    meaning: 'Builds that one process runs at a time.',
  }),
  DOCENT_UPLOADS_PER_ORGANISATION: wholeNumber(1, 1000).prefault('10').register(notes, {
    expected: 'a whole number, 1 to 1000',
    meaning: 'Uploads of one organisation that one process receives at a time; a further one is refused.',
  }),
  DOCENT_UPLOAD_MIN_BYTES_PER_SECOND: wholeNumber(1, 1_000_000_000).prefault('1024').register(notes, {
    expected: 'a whole number of bytes, 1 or more',
    meaning: 'How much an upload must bring a second. One that falls behind is ended.',
  }),
  DOCENT_UPLOAD_GRACE_SECONDS: wholeNumber(1, 3600).prefault('20').register(notes, {
    expected: 'a whole number of seconds, 1 to 3600',
    meaning: 'How far an upload may fall behind.',
  }),
  DOCENT_SITES_PER_ORGANISATION: wholeNumber(1, 1_000_000).prefault('1000').register(notes, {
    expected: 'a whole number, 1 to 1000000',
    meaning: 'Sites that an organisation may have.',
  }),
  DOCENT_STORAGE_MB_PER_ORGANISATION: wholeNumber(1, 1_000_000_000).prefault('102400').register(notes, {
    expected: 'a whole number of MB, 1 or more',
    meaning:
      'How much an organisation may store: uploaded sources, builds and bundles. Builds that are not live are deleted first.',
  }),
  DOCENT_LIMIT_PUBLISHES_PER_ORGANISATION_HOUR: requestLimit(
    '60',
    'Uploads and rebuilds that an organisation may start in an hour. The local operator is not limited.',
  ),
};

const schema = z.object(publishSettings);

/** How publishing is bounded. */
export interface PublishingConfig {
  /** What one build may use. */
  budget: { cpuSeconds: number; wallSeconds: number; memoryMb: number };
  perOrganisation: number;
  perProcess: number;
  uploads: { perOrganisation: number; minBytesPerSecond: number; graceSeconds: number };
}

/** Publishing as the settings have it. */
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
