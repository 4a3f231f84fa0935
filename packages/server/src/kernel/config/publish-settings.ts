import * as z from 'zod';
import { memoryHereMb } from './memory-settings.ts';
import { notes, requestLimit, wholeNumber } from './setting.ts';

const MIN_BUILD_MB = 256;
/** A build of 10,000 pages takes about 700 MB. */
const MAX_DEFAULT_BUILD_MB = 4096;
/** What the server itself needs: the larger of this and its share. */
const SERVER_MB = 512;
const SERVER_SHARE = 0.25;
/** A second thread takes 130 MB; a build with less than this keeps them for its pages. */
const SECOND_THREAD_MB = 1536;

/** Settings of publishing: what one build may use, and how many run at a time. */
export const publishSettings = {
  DOCENT_BUILD_CPU_SECONDS: wholeNumber(1, 86_400, 'seconds').prefault('300').register(notes, {
    meaning:
      'Maximum CPU time of one build, across all its threads and processes. Beyond it, publishing fails.',
  }),
  DOCENT_BUILD_WALL_SECONDS: wholeNumber(1, 86_400, 'seconds').prefault('600').register(notes, {
    meaning: 'Maximum duration of one build. Beyond it, publishing fails.',
  }),
  DOCENT_BUILD_MEMORY_MB: wholeNumber(MIN_BUILD_MB, 1_048_576, 'MB')
    .optional()
    .register(notes, {
      default: '<a share of the memory>',
      meaning:
        'Maximum memory of one build, with all processes that it starts. Beyond it, publishing fails. ' +
        'By default what the server does not need of the memory of the container or machine, divided by the concurrent builds; at most 4096.',
    }),
  DOCENT_BUILD_THREADS: wholeNumber(1, 64).optional().register(notes, {
    default: '<by the memory of a build>',
    meaning:
      'Threads that render the pages of one build. By default 2 if a build may take 1536 MB of memory, else 1.',
  }),
  DOCENT_PUBLISHES_PER_ORGANIZATION: wholeNumber(1, 1000).prefault('1').register(notes, {
    meaning:
      'Maximum concurrent builds of one organization, or of all that one person created; further ones wait, and turns are shares of time.',
  }),
  DOCENT_PUBLISHES_PER_PROCESS: wholeNumber(1, 64).prefault('2').register(notes, {
    meaning: 'Maximum concurrent builds of one process.',
  }),
  DOCENT_UPLOADS_PER_ORGANIZATION: wholeNumber(1, 1000).prefault('10').register(notes, {
    meaning:
      'Maximum concurrent uploads of one organization to one process; further ones are refused.',
  }),
  DOCENT_UPLOAD_MIN_BYTES_PER_SECOND: wholeNumber(1, 1_000_000_000, 'bytes')
    .prefault('1024')
    .register(notes, {
      meaning: 'Minimum bytes per second of an upload. An upload that falls behind is aborted.',
    }),
  DOCENT_UPLOAD_GRACE_SECONDS: wholeNumber(1, 3600, 'seconds').prefault('20').register(notes, {
    meaning: 'How many seconds an upload may fall behind.',
  }),
  DOCENT_OUTAGE_HOURS: wholeNumber(0, 168, 'hours').prefault('72').register(notes, {
    meaning:
      'How long a job, such as a publish or an export, waits for something that is unavailable (the file store, the database, Redis, disk space) before that fails it.',
  }),
  DOCENT_SITES_PER_ORGANIZATION: wholeNumber(1, 1_000_000).prefault('1000').register(notes, {
    meaning: 'Maximum number of sites of an organization.',
  }),
  DOCENT_STORAGE_MB_PER_ORGANIZATION: wholeNumber(1, 1_000_000_000, 'MB')
    .prefault('102400')
    .register(notes, {
      meaning:
        'Storage quota of an organization: uploaded sources, builds and bundles. Builds that are not live are deleted first.',
    }),
  DOCENT_LIMIT_PUBLISHES_PER_ORGANIZATION_HOUR: requestLimit(
    '60',
    'Uploads and rebuilds that an organization may start per hour. The local operator is not limited.',
  ),
};

/** Settings of Git sources. */
export const gitSettings = {
  DOCENT_GIT_POLL_SECONDS: wholeNumber(30, 86_400, 'seconds').prefault('600').register(notes, {
    meaning:
      'How often the server looks for new commits in the Git repository of a site. It looks less often where nothing has changed for a day, or webhooks arrive.',
  }),
  DOCENT_GIT_SECONDS: wholeNumber(1, 3600, 'seconds').prefault('300').register(notes, {
    meaning: 'Maximum duration of one fetch from a Git repository.',
  }),
  DOCENT_GIT_MAX_MB: wholeNumber(1, 1_000_000, 'MB').prefault('1024').register(notes, {
    meaning:
      'Maximum size of what is fetched from one Git repository: its history without files, and the files of the folder.',
  }),
  DOCENT_GIT_CACHE_MB: wholeNumber(1, 1_000_000, 'MB').prefault('5120').register(notes, {
    meaning:
      'Space on disk for copies of Git repositories, in each process that builds. Beyond it, those that were not used for longest are deleted, and fetched again when they are needed.',
  }),
};

const gitSchema = z.object(gitSettings);

/** Returns the limits of Git sources from the settings. */
export function gitFrom(values: z.output<typeof gitSchema>) {
  return {
    pollSeconds: values.DOCENT_GIT_POLL_SECONDS,
    seconds: values.DOCENT_GIT_SECONDS,
    maxBytes: values.DOCENT_GIT_MAX_MB * 1024 * 1024,
    cacheBytes: values.DOCENT_GIT_CACHE_MB * 1024 * 1024,
  };
}

const schema = z.object(publishSettings);

/**
 * Returns the memory of one build in MB, such that all concurrent builds and the server fit into
 * what there is.
 * @param memoryMb of the container or machine
 */
export function buildMemoryMb(memoryMb: number, concurrentBuilds: number): number {
  const serverMb = Math.max(SERVER_MB, memoryMb * SERVER_SHARE);
  const shareMb = Math.floor((memoryMb - serverMb) / concurrentBuilds);
  return Math.min(MAX_DEFAULT_BUILD_MB, Math.max(MIN_BUILD_MB, shareMb));
}

/** Returns the limits of publishing from the settings. */
export function publishingFrom(values: z.output<typeof schema>) {
  const memoryMb =
    values.DOCENT_BUILD_MEMORY_MB ??
    buildMemoryMb(memoryHereMb(), values.DOCENT_PUBLISHES_PER_PROCESS);
  return {
    threads: values.DOCENT_BUILD_THREADS ?? (memoryMb < SECOND_THREAD_MB ? 1 : 2),
    budget: {
      cpuSeconds: values.DOCENT_BUILD_CPU_SECONDS,
      wallSeconds: values.DOCENT_BUILD_WALL_SECONDS,
      memoryMb,
    },
    perOrganization: values.DOCENT_PUBLISHES_PER_ORGANIZATION,
    perProcess: values.DOCENT_PUBLISHES_PER_PROCESS,
    uploads: {
      perOrganization: values.DOCENT_UPLOADS_PER_ORGANIZATION,
      minBytesPerSecond: values.DOCENT_UPLOAD_MIN_BYTES_PER_SECOND,
      graceSeconds: values.DOCENT_UPLOAD_GRACE_SECONDS,
    },
  };
}

/** Settings of static exports, and of the builds that they are made from. */
export const exportSettings = {
  DOCENT_BUNDLE_LINK_SECONDS: wholeNumber(900, 604_800, 'seconds')
    .prefault('86400')
    .register(notes, {
      meaning: 'Lifetime of the link to an exported bundle.',
    }),
  DOCENT_EXPORTS_PER_ORGANIZATION: wholeNumber(1, 1000).prefault('2').register(notes, {
    meaning:
      'Maximum concurrent exports of one organization, or of all that one person created; further ones wait, and turns are shares of time.',
  }),
  DOCENT_EXPORTS_PER_PROCESS: wholeNumber(1, 64).prefault('3').register(notes, {
    meaning: 'Maximum concurrent exports of one process.',
  }),
  DOCENT_EXPORT_RETENTION_DAYS: wholeNumber(1, 36_500, 'days').prefault('30').register(notes, {
    meaning: 'Days for which the bundle of an export is kept. Its job stays in the list.',
  }),
  DOCENT_KEPT_DEPLOYMENTS: wholeNumber(1, 10_000).prefault('10').register(notes, {
    meaning:
      'Number of builds of a site that are kept, newest first. Live and exported builds are always kept.',
  }),
  DOCENT_DEPLOYMENT_REPORT_DAYS: wholeNumber(1, 3650, 'days').prefault('90').register(notes, {
    meaning:
      'Number of days for which the report and the log of a deployment are kept once its build is deleted.',
  }),
  DOCENT_DEPLOYMENT_DAYS: wholeNumber(30, 36_500, 'days').prefault('365').register(notes, {
    meaning:
      'Number of days for which a deployment without a build stays in the list, and its exports without a bundle. The newest of each site stays.',
  }),
  DOCENT_BUNDLE_SIGNING_KEY: z.string().optional().register(notes, {
    expected: 'a file',
    meaning:
      'File of the secret key that signs exported bundles; create one with `docent signing-key`.',
  }),
  DOCENT_LIMIT_EXPORTS_PER_ORGANIZATION_HOUR: requestLimit(
    '10',
    'Exports of a project (`/v1/static-export/{projectId}/jobs`) that an organization may start per hour.',
  ),
};
