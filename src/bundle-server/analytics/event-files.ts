import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS, isoDayOf, startOfDay } from '../../core/analytics/days.ts';
import type { PageFeedback } from '../../core/analytics/reader-events.ts';
import type { AnalyticsStore } from '../../ports/analytics-store.ts';
import type { Logger } from '../../ports/logger.ts';

/** A day's file takes no more than this, so that nobody can fill the disk. */
const MAX_DAY_BYTES = 64 * 1024 * 1024;
const SALT_DAYS = 2;
const NAME = /^(events|feedback|salt)-(\d{4}-\d\d-\d\d)\.(?:ndjson|txt)$/;

/** What a reader said of a page. What is kept later under the same id replaces it. */
export interface KeptFeedback extends Pick<PageFeedback, 'id' | 'path' | 'helpful' | 'reason' | 'comment'> {
  at: Date;
}

/** Events of a bundle in one file for each UTC day, one JSON object a line; feedback in files of its own. */
export interface EventFiles extends Pick<AnalyticsStore, 'append' | 'saltOf' | 'countOf'> {
  keepFeedback(feedback: KeptFeedback): Promise<void>;
  /** Deletes the files of days that are too long ago, and salts after 48 hours. */
  expire(now: Date): Promise<void>;
}

/** @throws what the file system throws where the folder cannot be written */
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
      if (!full.has(name))
        logger.warn({ name, maxDayBytes }, 'Analytics: the file of the day is full; nothing more is kept in it.');
      full.add(name);
      return;
    }
    // Before the file is written, so that what is written at the same time counts too.
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
      // Kept for the day, so that a restart makes nobody a second visitor.
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
