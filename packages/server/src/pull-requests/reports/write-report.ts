import { HostFault, type HostRequest } from './call-host.ts';
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
  // Read again: a database that was restored may not know of it, and nobody else's comment with our
  // marker comes before ours.
  const comments = host.readComments(await call(host.listComments(number)));
  const comment =
    comments.find(({ id }) => id === previousId) ??
    comments.find((item) => item.text.includes(markerOf(site.id)));
  if (comment) {
    if (comment.text !== text) await call(host.updateComment(number, comment, text));
    return comment.id;
  }
  if (!report.isNews) return null;
  return host.readCreated(await call(host.createComment(number, text))) ?? null;
}

/** Sets the status of the commit of a report, named after the site. @throws HostFault */
export async function setStatus(
  call: (request: HostRequest) => Promise<unknown>,
  host: GitHost,
  slug: string,
  { commit: sha, status, url, summary: description }: PullReport,
): Promise<void> {
  const request = host.setStatus({ sha, status, url, description, name: `docent/${slug}` });
  await call(request).catch((error: unknown) => {
    const isSame = host.refusesSameStatus && error instanceof HostFault && error.status === 400;
    if (!isSame) throw error;
  });
}
