import {
  actorName,
  commitName,
  deploymentTitle,
} from '@docent/format/deployments/deployment-title.ts';
import { commitAddress } from '@docent/format/docs-json/settings/repository.ts';
import { Fragment, type ReactNode } from 'react';
import { count, plural } from '../../ui/format.ts';
import { Badge, RelativeTime } from '../../ui/values.tsx';
import { isRunning, lengthOf, type Summary } from './deployment-actions.tsx';

/** Who, from where, what it changes, when, and how long it took, in one line that wraps. */
export function DeploymentFacts({
  deployment,
  hasLink = false,
}: {
  deployment: Summary;
  hasLink?: boolean;
}) {
  const { commit, actor, pageChanges, createdAt } = deployment;
  const title = deploymentTitle(deployment);
  const name = commit ? commitName(commit) : '';
  const address = hasLink
    ? commitAddress(commit?.repository ?? null, commit?.sha ?? '')
    : undefined;
  const author =
    commit?.author ??
    (actor && title.endsWith(` by ${actorName(actor)}`) ? undefined : actor && actorName(actor));
  const facts: [string, ReactNode][] = [
    ['author', author],
    [
      'commit',
      name !== '' && name !== title && (
        <span className="font-mono text-xs">
          {address === undefined ? (
            name
          ) : (
            <a href={address} target="_blank" rel="noreferrer" className="hover:underline">
              {name}
            </a>
          )}
        </span>
      ),
    ],
    ['pages', pageChanges && <PageCounts counts={pageChanges} />],
    ['time', <RelativeTime key="time" at={createdAt} />],
    ['duration', !isRunning(deployment) && lengthOf(deployment)],
  ];
  return (
    <span className="text-s text-muted">
      {facts
        .filter(([, fact]) => fact)
        .map(([key, fact], index) => (
          <Fragment key={key}>
            {index > 0 && ' · '}
            {fact}
          </Fragment>
        ))}
    </span>
  );
}

/** `+1 ~2 −1`, of which what is zero is left out. */
export function PageCounts({ counts }: { counts: NonNullable<Summary['pageChanges']> }) {
  const { added, changed, removed } = counts;
  const parts = [
    ['+', added, 'text-success', 'added'],
    ['~', changed, 'text-warning', 'changed'],
    ['−', removed, 'text-danger', 'removed'],
  ] as const;
  const changes = parts.filter(([, pages]) => pages > 0);
  if (changes.length === 0) return 'no page changed';
  return (
    <span className="inline-flex gap-1.5 tabular-nums">
      {changes.map(([sign, pages, color, word]) => (
        <span key={word} className={color} title={`${plural(pages, 'page')} ${word}`}>
          <span aria-hidden="true">
            {sign}
            {count(pages)}
          </span>
          <span className="sr-only">
            {plural(pages, 'page')} {word}
          </span>
        </span>
      ))}
    </span>
  );
}

/** The preview of a deployment, and the number of its errors. */
export function DeploymentBadges({ deployment }: { deployment: Summary }) {
  const { preview, previewBranch, promotedFrom, errors, pinned, status } = deployment;
  return (
    <>
      {preview !== null && <Badge tone="accent">Preview {previewBranch ?? preview}</Badge>}
      {promotedFrom !== null && <Badge>from preview {promotedFrom}</Badge>}
      {errors > 0 && status === 'success' && (
        <Badge tone="warning">{plural(errors, 'error')}</Badge>
      )}
      {pinned && <Badge>kept</Badge>}
    </>
  );
}
