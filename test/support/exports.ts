import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, until } from './http.ts';
import { type RunningDocent, temporaryFolder } from './start-docent.ts';

export interface Job {
  jobId: string;
  status: string;
  progress: number;
  pageCount: number;
  totalPages: number | null;
  attempts: number;
  waitingFor: string | null;
  error?: string;
}

export interface Bundle {
  bundleUrl: string;
  sizeBytes: number;
  sha256: string;
  expiresAt: string;
}

export const start = async (
  docent: RunningDocent,
  body: object,
  headers: Record<string, string> = {},
) => {
  const answer = await call(
    docent,
    docent.adminKey,
    'POST',
    '/v1/static-export/jobs',
    body,
    headers,
  );
  expect(answer.status).toBe(202);
  return (await answer.json()) as Job;
};
export const status = async (docent: RunningDocent, jobId: string) =>
  (await (
    await call(docent, docent.adminKey, 'GET', `/v1/static-export/jobs/${jobId}`)
  ).json()) as Job;
export const finish = (docent: RunningDocent, jobId: string) =>
  until(async () => {
    const job = await status(docent, jobId);
    return job.status === 'completed' || job.status === 'failed' ? job : undefined;
  });
export const bundleOf = async (docent: RunningDocent, jobId: string) =>
  (await (
    await call(docent, docent.adminKey, 'POST', `/v1/static-export/jobs/${jobId}/bundle`)
  ).json()) as Bundle;

/** Downloads a bundle without any header and unpacks it. */
export async function unpack({ bundleUrl, sizeBytes, sha256 }: Bundle): Promise<string> {
  const bytes = Buffer.from(await (await fetch(bundleUrl)).arrayBuffer());
  expect(bytes).toHaveLength(sizeBytes);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
  const folder = await temporaryFolder();
  writeFileSync(join(folder, 'bundle.tar.gz'), bytes);
  const tar = spawnSync('tar', ['-xzf', 'bundle.tar.gz'], { cwd: folder, encoding: 'utf8' });
  expect({ status: tar.status, message: tar.stderr }).toEqual({ status: 0, message: '' });
  return folder;
}
