import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schema } from '../../api/client.ts';
import { pagedQuery, useSite } from '../../api/queries.ts';
import { FilterSearch, FilterSelect } from '../../ui/filters.tsx';
import { count, plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Sheet } from '../../ui/overlays/dialog.tsx';
import { EmptyState, Page } from '../../ui/page.tsx';
import { type Column, List, timeColumn } from '../../ui/table.tsx';
import { Badge } from '../../ui/values.tsx';
import { QuestionTest } from '../conversations/question-test.tsx';
import { type Scope, useScope } from './analytics-query.ts';
import { ExportButton, Filters } from './filters.tsx';

type Search = Schema<'SearchFigures'>;
/**
 * Click-through rate of searches with results below which the results are probably not what readers
 * look for.
 */
const LOW_CTR = 0.3;

const NO_ANSWER = { sources: [], outcome: 'unknown', helpful: null } as const;

const searchesQuery = ({ projectId, asked }: Scope) =>
  pagedQuery(
    ['searches', projectId, asked],
    { ...asked, limit: 100 },
    (query) => api.get('/v1/analytics/{projectId}/searches', { path: { projectId }, query }),
    (parts) => ({
      searches: parts.flatMap(({ searches }) => searches),
      total: parts[0]?.totalSearches ?? 0,
    }),
  );

const isMissing = ({ noResults }: Search) => noResults > 0;
const isUnopened = ({ ctr, noResults, hits }: Search) => ctr < LOW_CTR && noResults < hits;

/** What readers search for, and which searches find nothing. */
export function SearchesPage() {
  const { setSearch, domain, ...scope } = useScope();
  const site = useSite();
  const [opened, setOpened] = useState<string>();
  const { q = '', found } = useSearch({ strict: false });
  const query = useInfiniteQuery({ ...searchesQuery(scope), placeholderData: keepPreviousData });
  const { searches = [], total = 0 } = query.data ?? {};
  const isFound = found === 'none' ? isMissing : found === 'unopened' ? isUnopened : () => true;
  return (
    <Page
      title="Searches"
      about={
        searches.length > 0
          ? summaryOf(searches, total)
          : 'What readers search for, which result they open, and what they do not find'
      }
      action={searches.length > 0 && <ExportButton scope={scope} report="searches" />}
    >
      <Filters scope={scope} setSearch={setSearch}>
        <FilterSelect
          name="found"
          label="Results"
          all="All searches"
          options={{ none: 'Without result', unopened: 'Rarely opened' }}
        />
        <FilterSearch name="q" label="Search the list" className="w-56 max-sm:w-full" />
      </Filters>
      <List
        label="Searches"
        query={{ ...query, data: query.data?.searches }}
        isShown={(search) => isFound(search) && search.searchQuery.includes(q.toLowerCase())}
        empty={
          <Nothing hasSearches={searches.length > 0} isForMissing={found === 'none' && q === ''} />
        }
        keyOf={({ searchQuery }) => searchQuery}
        onOpen={({ searchQuery }) => setOpened(searchQuery)}
        columns={columnsOf(scope.org, domain, site.url)}
      />
      <Sheet title="Search" isOpen={opened !== undefined} onClose={() => setOpened(undefined)}>
        {opened !== undefined && (
          <div className="flex flex-col gap-4 p-5">
            <p className="font-medium break-words">{opened}</p>
            <QuestionTest question={opened} answer={NO_ANSWER} isOpen />
          </div>
        )}
      </Sheet>
    </Page>
  );
}

/** Describes the rows; of long lists, only the most frequent searches are known. */
function summaryOf(rows: readonly Search[], total: number): string {
  const without = rows.reduce((sum, { noResults }) => sum + noResults, 0);
  const seen = rows.reduce((sum, { hits }) => sum + hits, 0);
  const part = seen < total ? ` among the ${count(rows.length)} most frequent` : '';
  return `${plural(total, 'search', 'searches')}, ${count(without)} without result${part}`;
}

function Nothing({ hasSearches, isForMissing }: { hasSearches: boolean; isForMissing: boolean }) {
  if (hasSearches)
    return (
      <EmptyState
        icon="search"
        title={isForMissing ? 'Every search had a result' : 'No search matches'}
      >
        {isForMissing
          ? 'Searches without results appear here: write a page for them, or use their words on the page that answers them.'
          : 'Show all searches, or a longer period.'}
      </EmptyState>
    );
  return (
    <EmptyState icon="search" title="No searches in this period">
      A search is counted when a reader pauses, opens a result or closes the search box.
    </EmptyState>
  );
}

function columnsOf(org: string, domain: string, address: string): Column<Search>[] {
  return [
    {
      title: 'Search',
      cell: ({ searchQuery, noResults, hits }) => (
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium break-words">{searchQuery}</span>
          {noResults > 0 && (
            <Badge tone="warning">
              {noResults === hits ? 'no result' : `no result ${count(noResults)} times`}
            </Badge>
          )}
        </span>
      ),
    },
    { title: 'Searches', isNumber: true, cell: ({ hits }) => count(hits) },
    { title: 'Result opened', isNumber: true, cell: ({ ctr }) => `${Math.round(ctr * 100)}%` },
    {
      title: 'Searched again',
      isNumber: true,
      isMinor: true,
      cell: ({ refined }) => count(refined),
    },
    {
      title: 'Opened most',
      isMinor: true,
      cell: ({ topClickedPage: path }) =>
        path === null ? (
          '–'
        ) : (
          <Link
            to="/$org/$domain/analytics"
            params={{ org, domain }}
            search={{ path }}
            className="font-mono text-xs break-all hover:underline"
          >
            {path}
          </Link>
        ),
    },
    {
      title: '(Open)',
      // Words that are stored as a hash, or not at all, cannot be searched for.
      cell: ({ searchQuery }) =>
        searchQuery !== '' &&
        !/^#[\w-]{16}$/.test(searchQuery) && (
          <a
            href={`${address.replace(/\/$/, '')}/#search=${encodeURIComponent(searchQuery)}&uncounted`}
            target="_blank"
            rel="noreferrer"
            title="Search for it on the site"
            className="inline-flex text-muted hover:text-text"
          >
            <Icon name="external-link" />
            <span className="sr-only">Search for {searchQuery} on the site</span>
          </a>
        ),
    },
    timeColumn('Last', 'lastSearchedAt', true),
  ];
}
