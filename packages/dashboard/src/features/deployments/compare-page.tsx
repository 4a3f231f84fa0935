import { deploymentTitle } from '@docent/format/deployments/deployment-title.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { api, type Schema } from '../../api/client.ts';
import { useOrganization, useSite } from '../../api/queries.ts';
import { AnchorButton, LinkButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { count, plural } from '../../ui/format.ts';
import { Card, EmptyState, Loaded, Page } from '../../ui/page.tsx';
import { Status } from '../../ui/values.tsx';
import { type Summary, stateOf } from './deployment-actions.tsx';
import { DeploymentFacts } from './deployment-facts.tsx';

const COMPARISON = '/v1/projects/{projectId}/deployments/{deploymentId}/comparison';

const KINDS = [
  ['added', 'Added', '+', 'text-success'],
  ['changed', 'Changed', '~', 'text-warning'],
  ['removed', 'Removed', '−', 'text-danger'],
] as const;

/**
 * What a deployment changes in another one: the pages, and the text of the chosen page before and
 * after.
 */
export function ComparePage() {
  const { slug: org } = useOrganization();
  const site = useSite();
  const { projectId } = site;
  const { id = '' } = useParams({ strict: false });
  const { base = 'live', path } = useSearch({ strict: false });
  const query = useQuery({
    queryKey: ['deployments', projectId, 'compare', id, base],
    queryFn: () => api.get(COMPARISON, { path: { projectId, deploymentId: id }, query: { base } }),
    enabled: projectId !== '',
  });
  const { data } = query;
  const paths = data ? KINDS.flatMap(([kind]) => data[kind].pages) : [];
  const selectedPath = path ?? data?.changed.pages[0] ?? paths[0];
  const params = { org, domain: site.slug };
  return (
    <Page
      title="Compare deployments"
      about="What changes in the text of pages from one deployment to the other"
      action={
        data?.base && (
          <LinkButton
            icon="arrow-left-right"
            to="/$org/$domain/deployments/$id/compare"
            params={{ ...params, id: data.base.id }}
            search={{ base: id, ...(path !== undefined && { path }) }}
          >
            Swap
          </LinkButton>
        )
      }
    >
      <Loaded query={query}>
        {(comparison) => (
          <div className="flex flex-col gap-6">
            <div className="grid gap-4 md:grid-cols-2">
              <Side title="Before" deployment={comparison.base} params={params} />
              <Side title="After" deployment={comparison.deployment} params={params} />
            </div>
            {selectedPath === undefined ? (
              <EmptyState icon="check" title="No page differs">
                Both deployments have the same pages with the same text and settings.
              </EmptyState>
            ) : (
              <div className="grid items-start gap-6 lg:grid-cols-[16rem_minmax(0,1fr)]">
                <Pages comparison={comparison} shown={selectedPath} />
                <Difference
                  id={id}
                  base={base}
                  path={selectedPath}
                  deployment={comparison.deployment}
                />
              </div>
            )}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

interface SideProps {
  title: string;
  deployment: Summary | null;
  params: { org: string; domain: string };
}

function Side({ title, deployment, params }: SideProps) {
  return (
    <Card className="px-4 py-3">
      <h2 className="text-xs font-medium text-muted">{title}</h2>
      {deployment === null ? (
        <p className="mt-1">Nothing is live.</p>
      ) : (
        <div className="mt-1 flex flex-col gap-1">
          <span className="flex items-center justify-between gap-3">
            <Link
              to="/$org/$domain/deployments/$id"
              params={{ ...params, id: deployment.id }}
              className="line-clamp-1 font-medium break-all hover:underline"
            >
              {deploymentTitle(deployment)}
            </Link>
            <span className="text-s">
              <Status state={stateOf(deployment)} />
            </span>
          </span>
          <DeploymentFacts deployment={deployment} />
        </div>
      )}
    </Card>
  );
}

/** The pages that differ, as links to their difference. */
function Pages({
  comparison,
  shown,
}: {
  comparison: Schema<'DeploymentComparison'>;
  shown: string;
}) {
  return (
    <nav
      aria-label="Pages that differ"
      className="max-h-[70vh] overflow-y-auto rounded-lg border border-line pb-2 max-lg:max-h-60"
    >
      {KINDS.filter(([kind]) => comparison[kind].count > 0).map(([kind, title, sign, color]) => (
        <section key={kind}>
          <h2 className="flex justify-between px-4 pt-3 pb-1 text-xs font-medium text-muted">
            {title} <span className="tabular-nums">{count(comparison[kind].count)}</span>
          </h2>
          <ul className="font-mono text-xs">
            {comparison[kind].pages.map((path) => (
              <li key={path}>
                <Link
                  to="."
                  search={(search: object) => ({ ...search, path }) as never}
                  resetScroll={false}
                  aria-current={path === shown ? 'page' : undefined}
                  title={path}
                  className={cx(
                    'flex gap-2 px-4 py-1.5 hover:bg-hover',
                    path === shown && 'bg-accent-soft',
                  )}
                >
                  <span aria-hidden="true" className={color}>
                    {sign}
                  </span>
                  <span className="truncate">{path}</span>
                </Link>
              </li>
            ))}
            {comparison[kind].count > comparison[kind].pages.length && (
              <li className="px-4 py-1.5 text-muted">
                and {count(comparison[kind].count - comparison[kind].pages.length)} more
              </li>
            )}
          </ul>
        </section>
      ))}
    </nav>
  );
}

interface DifferenceProps {
  id: string;
  base: string;
  path: string;
  deployment: Summary;
}

/** The text of a page in both deployments. */
function Difference({ id, base, path, deployment }: DifferenceProps) {
  const { projectId, url } = useSite();
  const query = useQuery({
    queryKey: ['deployments', projectId, 'compare', id, base, path],
    queryFn: () =>
      api.get(`${COMPARISON}/page`, {
        path: { projectId, deploymentId: id },
        query: { base, path },
      }),
    placeholderData: keepPreviousData,
  });
  const address = deployment.isLive ? url : deployment.isShown ? deployment.previewUrl : null;
  return (
    <Loaded query={query}>
      {(page) => (
        <Card
          title={page.title ?? page.baseTitle ?? path}
          about={`${page.path} · ${plural(page.added, 'line')} added, ${count(page.removed)} removed`}
          action={
            address !== null &&
            page.title !== null && (
              <AnchorButton
                size="sm"
                icon="external-link"
                href={address + page.path}
                target="_blank"
                rel="noreferrer"
              >
                Open page
              </AnchorButton>
            )
          }
        >
          {page.added + page.removed === 0 ? (
            <p className="px-4 py-3 text-s text-muted">
              The text is the same. Settings of the page, its place in the menu, or how it is shown
              differ.
            </p>
          ) : (
            <DiffRows page={page} />
          )}
        </Card>
      )}
    </Loaded>
  );
}

const ROW = {
  same: ['', ' '],
  added: ['bg-success-soft', '+'],
  removed: ['bg-danger-soft', '−'],
} as const;
const WORD = { same: '', added: 'bg-success/25', removed: 'bg-danger/25' } as const;

/**
 * The lines of a difference. What stays the same is not marked; the words in which two lines differ
 * are.
 */
function DiffRows({ page: { rows, isCut } }: { page: Schema<'PageComparison'> }) {
  return (
    <div className="overflow-hidden rounded-b-lg font-mono text-xs leading-5">
      {rows.map((row, index) =>
        row.kind === 'gap' ? (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows do not change
            key={index}
            className="border-y border-line bg-sunken px-4 py-1 text-muted first:border-t-0 last:border-b-0"
          >
            {plural(row.lines, 'unchanged line')}
          </div>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows do not change
          <div key={index} className={cx('flex min-h-5 gap-3 px-4', ROW[row.kind][0])}>
            <span aria-hidden="true" className="w-2 shrink-0 text-muted select-none">
              {ROW[row.kind][1]}
            </span>
            <DiffLine row={row} />
          </div>
        ),
      )}
      {isCut && (
        <p className="border-t border-line px-4 py-2 text-muted">
          The rest of the difference is not shown.
        </p>
      )}
    </div>
  );
}

function DiffLine({
  row: { kind, parts },
}: {
  row: Extract<Schema<'PageComparison'>['rows'][number], { parts: unknown }>;
}) {
  const Line = kind === 'added' ? 'ins' : kind === 'removed' ? 'del' : 'span';
  return (
    <Line className="min-w-0 flex-1 break-words whitespace-pre-wrap no-underline">
      {parts.map(({ text, isChanged }, index) =>
        isChanged ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts do not change
          <mark key={index} className={cx('rounded-xs text-inherit', WORD[kind])}>
            {text}
          </mark>
        ) : (
          text
        ),
      )}
    </Line>
  );
}
