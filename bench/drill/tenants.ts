import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { page, site } from '../../test/support/hostile-organization.ts';
import { fetchSite } from '../../test/support/http.ts';
import type { RunningDocent } from '../../test/support/start-docent.ts';

export const PAGES_PER_SECOND = 20;

/**
 * Returns a site of the measured organization: a different one each time, so that nothing comes
 * from a cache.
 */
export function ordinarySite(): Uint8Array<ArrayBuffer> {
  const text = Array.from(
    { length: 200 },
    () => `## ${randomBytes(4).toString('hex')}\n\nSome *text* with [a link](#x) and \`code\`.`,
  );
  return site(page(text.join('\n\n')));
}

export async function send(
  docent: RunningDocent,
  key: string,
  slug: string,
  archive: Uint8Array<ArrayBuffer>,
): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/gzip' };
  const sent = await fetch(`${docent.apiUrl}/v1/project/${slug}/source`, {
    method: 'PUT',
    headers,
    body: archive,
  });
  const { statusId } = (await sent.json()) as { statusId?: string };
  return statusId;
}

/** @returns seconds from the upload until the site is live, or its build failed */
export async function publish(
  docent: RunningDocent,
  key: string,
  slug: string,
  archive: Uint8Array<ArrayBuffer>,
): Promise<number> {
  const startedAt = performance.now();
  const statusId = await send(docent, key, slug, archive);
  for (;;) {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${docent.apiUrl}/v1/project/update-status/${statusId}`, {
      headers,
    });
    const { status } = (await answer.json()) as { status: string };
    if (status === 'success' || status === 'failure') return (performance.now() - startedAt) / 1000;
    await wait(50);
  }
}

/** Requests a page at a steady rate until it is stopped. @returns the latencies in milliseconds */
export async function readPages(
  docent: RunningDocent,
  slug: string,
  until: AbortSignal,
): Promise<number[]> {
  const latencies: number[] = [];
  const open: Promise<void>[] = [];
  for (let next = performance.now(); !until.aborted; next += 1000 / PAGES_PER_SECOND) {
    await wait(Math.max(0, next - performance.now()));
    const startedAt = performance.now();
    open.push(
      fetchSite(docent, slug, '/').then(async (answer) => {
        await answer.arrayBuffer();
        latencies.push(
          answer.status === 200 ? performance.now() - startedAt : Number.POSITIVE_INFINITY,
        );
      }),
    );
  }
  await Promise.all(open);
  return latencies;
}

/** Creates a site with a key. */
export const create = (docent: RunningDocent, key: string, slug: string): Promise<Response> =>
  fetch(`${docent.apiUrl}/v1/projects`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ slug }),
  });
