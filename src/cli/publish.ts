import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { packSourceFolder } from '../compiler/source/source-archive.ts';
import { DocentError } from '../core/errors.ts';
import type { BuildReport } from '../core/site-build.ts';
import type { ApiClient } from './api-client.ts';
import { gitFactsOf } from './git-facts.ts';
import { formatReport, type Output } from './output.ts';

const POLL_MS = 150;

/** The part of the update-status response that this command reads. */
export interface Deployment {
  _id: string;
  status: 'queued' | 'in_progress' | 'success' | 'failure';
  summary: string;
  report: BuildReport | null;
}

/**
 * Uploads a folder or a `.tar.gz` to a site, waits for its build, and returns it.
 * @throws DocentError as the API answers; a failed build is returned, not thrown
 */
export async function publishSource(
  api: ApiClient,
  path: string,
  slug: string,
  output: Output,
  preview?: string,
): Promise<Deployment & { previewUrl?: string }> {
  const stream = await openSource(path);
  await ensureSite(api, slug);
  output.progress('Sending the source …');
  const query = preview === undefined ? '' : `?preview=${encodeURIComponent(preview)}`;
  const { statusId, previewUrl } = await api.request<{ statusId: string; previewUrl?: string }>({
    method: 'PUT',
    path: `/v1/project/${encodeURIComponent(slug)}/source${query}`,
    upload: { stream, contentType: 'application/gzip' },
  });
  for (;;) {
    const deployment = await api.request<Deployment>({ method: 'GET', path: `/v1/project/update-status/${statusId}` });
    if (deployment.status === 'success' || deployment.status === 'failure') {
      return previewUrl === undefined ? deployment : { ...deployment, previewUrl };
    }
    output.progress(deployment.status === 'queued' ? 'Waiting for a worker …' : 'Building …');
    await wait(POLL_MS);
  }
}

/**
 * `docent publish <folder|archive.tar.gz> --site <slug>`.
 * @param preview publish the source as this preview instead of making it live
 * @param strict whether an error on a page fails the command; the site is published either way
 * @returns exit code: 1 if the build failed
 */
export async function runPublish(
  api: ApiClient,
  path: string,
  slug: string,
  output: Output,
  { strict = false, preview }: { strict?: boolean; preview?: string } = {},
): Promise<number> {
  const deployment = await publishSource(api, path, slug, output, preview);
  if (deployment.report) output.note(formatReport(deployment.report));
  if (deployment.status !== 'success') {
    output.print(`Not published: ${deployment.summary}`);
    output.json(deployment);
    return 1;
  }
  const url = deployment.previewUrl ?? (await addressOf(api, slug));
  output.print(`Published ${slug}: ${deployment.summary}\n${url}`);
  output.json({ ...deployment, url });
  const hasErrors = deployment.report?.diagnostics.some((one) => one.severity === 'error') ?? false;
  return strict && hasErrors ? 1 : 0;
}

async function addressOf(api: ApiClient, slug: string): Promise<string> {
  const site = await api.request<{ url: string }>({ method: 'GET', path: `/v1/projects/${encodeURIComponent(slug)}` });
  return site.url;
}

async function openSource(path: string): Promise<AsyncIterable<Uint8Array>> {
  const full = resolve(path);
  const found = await stat(full).catch(() => undefined);
  if (!found) throw new DocentError('invalid_archive', `There is no folder or archive ${path}.`);
  return found.isDirectory() ? packSourceFolder(full, await gitFactsOf(full)) : createReadStream(full);
}

async function ensureSite(api: ApiClient, slug: string): Promise<void> {
  await api.request({ method: 'POST', path: '/v1/projects', body: { slug } }).catch((error) => {
    if (!(error instanceof DocentError && error.code === 'site_exists')) throw error;
  });
}
