import { valueAt } from '@docent/format/json-value.ts';
import { HostFault } from '../../outside/call-host.ts';
import type { HostRequest } from '../../ports/git/host-calls.ts';
import type { GitHost } from './git-hosts.ts';
import { commentOf, markerOf, type PullReport } from './report-text.ts';

/**
 * Writes the comment on a pull request, or edits the one that is there.
 * @param previousId of the comment that was written before, if it is known
 * @returns the id of the comment; null if there is none
 * @throws HostFault
 */
export async function writeComment(
  call: (request: HostRequest) => Promise<unknown>,
  host: GitHost,
  {
    number,
    previousId = null,
    site,
    report,
  }: {
    number: number;
    previousId?: string | null;
    site: { id: string; name: string };
    report: PullReport;
  },
): Promise<string | null> {
  const text = commentOf(site, report);
  // Many others may have come before it in the list.
  if (previousId !== null && (await editComment(call, host, { number, id: previousId, text })))
    return previousId;
  // A database that was restored may not know of it.
  const comments = host.readComments(await call(host.listComments(number)));
  const comment = comments.find((item) => item.text.includes(markerOf(site.id)));
  if (comment) {
    if (comment.text !== text) await call(host.updateComment(number, comment, text));
    return comment.id;
  }
  if (!report.isNews) return null;
  return host.readCreated(await call(host.createComment(number, text))) ?? null;
}

/** @returns whether the comment is still there */
async function editComment(
  call: (request: HostRequest) => Promise<unknown>,
  host: GitHost,
  { number, id, text }: { number: number; id: string; text: string },
): Promise<boolean> {
  try {
    const version =
      host.readVersion && valueAt(await call(host.readVersion(number, id)), 'version');
    const comment = { id, text: '', version: typeof version === 'number' ? version : undefined };
    await call(host.updateComment(number, comment, text));
    return true;
  } catch (error) {
    if (error instanceof HostFault && error.kind === 'missing') return false;
    throw error;
  }
}

/** Sets the status of the commit of a report, named after the site; at Azure Repos that of the pull
 * request. @throws HostFault */
export async function setStatus(
  call: (request: HostRequest) => Promise<unknown>,
  host: GitHost,
  { slug, number }: { slug: string; number: number },
  { commit: sha, status, url, summary: description }: PullReport,
): Promise<void> {
  const request = host.setStatus({
    sha,
    number,
    status,
    url,
    description,
    name: `docent/${slug}`,
  });
  await call(request).catch((error: unknown) => {
    const isSame = host.refusesSameStatus && error instanceof HostFault && error.status === 400;
    if (!isSame) throw error;
  });
}
