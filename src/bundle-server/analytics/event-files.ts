import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS, isoDayOf, startOfDay } from '../../core/analytics/days.ts';
import type { PageFeedback } from '../../core/analytics/reader-events.ts';
import type { AnalyticsStore } from '../../ports/analytics-store.ts';
import type { Logger } from '../../ports/logger.ts';

/** Maximum size of a day's file, so that nobody can fill the disk. */
const MAX_DAY_BYTES = 64 * 1024 * 1024;
const SALT_DAYS = 2;
const NAME = /^(events|feedback|salt)-(\d{4}-\d\d-\d\d)\.(?:ndjson|txt)$/;

/** A reader's feedback about a page. Later feedback under the same id replaces it. */
export interface KeptFeedback extends Pick<PageFeedback, 'id' | 'path' | 'helpful' | 'reason' | 'comment'> {
  at: Date;
}

/** Stores events of a bundle in one file per UTC day, one JSON object per line; feedback in separate files. */
export interface EventFiles extends Pick<AnalyticsStore, 'append' | 'saltOf' | 'countOf'> {
  keepFeedback(feedback: KeptFeedback): Promise<void>;
  /** Deletes the files of days past their retention, and salts after 48 hours. */
  expire(now: Date): Promise<void>;
}

/** @throws the file system's error if the folder is not writable */
export async function openEventFiles(
  folder: string,
  { keepDays, logger, maxDayBytes = MAX_DAY_BYTES }: { keepDays: number; logger: Logger; maxDayBytes?: number },
): Promise<EventFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const sizes = new Map<string, number>();
  const full = new Set<string>();

  async function appendDay(name: string, lines: readonly object[]): Promise<void> {
    const file = join(folder, name);
    const before =
      sizes.get(name) ??
      (await stat(file).then(
        ({ size }) => size,
        () => 0,
      ));
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const bytes = Buffer.byteLength(text);
    if (before + bytes > maxDayBytes) {
      if (!full.has(name)) logger.warn({ name, maxDayBytes }, 'Analytics: today’s file is full; further events are dropped.');
      full.add(name);
      return;
    }
    // Before the file is written, so that concurrent writes count too.
    sizes.set(name, before + bytes);
    await appendFile(file, text, { mode: 0o600 });
  }

  return {
    async append(events) {
      for (const [day, found] of Map.groupBy(events, ({ at }) => isoDayOf(at))) await appendDay(`events-${day}.ndjson`, found);
    },
    keepFeedback: (feedback) => appendDay(`feedback-${isoDayOf(feedback.at)}.ndjson`, [feedback]),
    async saltOf(day) {
      const file = join(folder, `salt-${day}.txt`);
      const salt = randomBytes(32).toString('base64url');
      // Stored for the day, so that a restart does not count visitors twice.
      return writeFile(file, salt, { flag: 'wx', mode: 0o600 }).then(
        () => salt,
        () => readFile(file, 'utf8'),
      );
    },
    countOf: async () => 0,
    async expire(now) {
      for (const name of await readdir(folder)) {
        const [, kind, day = ''] = NAME.exec(name) ?? [];
        const days = kind === 'salt' ? SALT_DAYS : keepDays;
        if (kind === undefined || now.getTime() - startOfDay(day).getTime() < days * DAY_MS) continue;
        await rm(join(folder, name), { force: true });
        sizes.delete(name);
        full.delete(name);
      }
    },
  };
}
