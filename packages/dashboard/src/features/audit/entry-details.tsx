import { AUDIT_KINDS, AUDITED, fieldTitle } from '@docent/format/access/audit-words.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import type { Schema } from '../../api/client.ts';
import { siteQuery } from '../../api/queries.ts';
import { CopyText } from '../../ui/copy.tsx';
import { exactTime } from '../../ui/format.ts';
import { Table } from '../../ui/table.tsx';
import { Badge, type State, Status } from '../../ui/values.tsx';

type Entry = Schema<'AuditEntry'>;
type Value = Schema<'AuditChange'>['before'];

export const OUTCOMES = {
  done: ['Done', 'success'],
  refused: ['Refused', 'warning'],
  failed: ['Failed', 'danger'],
} as const satisfies Record<Entry['outcome'], State>;

/** Everything that is known about an entry of the audit log. */
export function EntryDetails({ entry, org }: { entry: Entry; org: string }) {
  const { changes } = entry;
  return (
    <div className="flex flex-col gap-6 p-5">
      {changes.length > 0 && (
        <Table
          label="Changed properties"
          rows={changes}
          keyOf={({ field }) => field}
          columns={[
            {
              title: 'Property',
              cell: ({ field }) => <span className="font-medium">{fieldTitle(field)}</span>,
            },
            { title: 'Before', cell: ({ before }) => <Shown value={before} /> },
            { title: 'After', cell: ({ after }) => <Shown value={after} /> },
          ]}
        />
      )}
      <dl className="grid gap-x-6 gap-y-3 text-s sm:grid-cols-[7rem_1fr] sm:items-baseline">
        {factsOf(entry, org).map(([name, fact]) => (
          <Fragment key={name}>
            <dt className="text-muted max-sm:-mb-2.5">{name}</dt>
            <dd className="min-w-0">{fact}</dd>
          </Fragment>
        ))}
      </dl>
    </div>
  );
}

/** What is known, by what it is called. */
function factsOf(entry: Entry, org: string): [string, ReactNode][] {
  const {
    action,
    actor,
    actorName,
    actorKind,
    address,
    code,
    outcome,
    requestId,
    siteId,
    thing,
    time,
  } = entry;
  const facts: Record<string, ReactNode> = {
    When: <time dateTime={time}>{exactTime(new Date(time))}</time>,
    [actorKind === 'key' ? 'By the key' : 'By']:
      actor === 'operator'
        ? 'The operator, on the server'
        : actor === 'directory'
          ? 'The directory (SCIM)'
          : (actorName ?? <CopyText value={actor} label="Copy actor" />),
    Outcome: <Status state={OUTCOMES[outcome]} />,
    Reason: code !== null && <Reason code={code} />,
    Site: siteId !== null && <SiteName entry={entry} org={org} />,
    Operation: <OperationName action={action} />,
    Identifier: thing !== null && <CopyText value={thing} label="Copy identifier" />,
    Address:
      address === null ? 'The server itself' : <CopyText value={address} label="Copy address" />,
    Request: requestId !== null && <CopyText value={requestId} label="Copy request id" />,
  };
  return Object.entries(facts).filter(([, fact]) => fact !== false);
}

function Reason({ code }: { code: string }) {
  return (
    <a
      href={`/errors/${code}`}
      target="_blank"
      rel="noreferrer"
      className="text-accent-text hover:underline"
    >
      {code.replaceAll('_', ' ')}
    </a>
  );
}

function OperationName({ action }: { action: string }) {
  const kind = AUDITED[action]?.kind;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <code className="font-mono text-xs">{action}</code>
      {kind && <Badge>{AUDIT_KINDS[kind]}</Badge>}
    </span>
  );
}

/** The site, as a link while it exists. */
function SiteName({ entry: { siteId, siteName }, org }: { entry: Entry; org: string }) {
  const { data: site } = useQuery({ ...siteQuery(org, siteId ?? ''), enabled: siteId !== null });
  if (!site) return <>{siteName ?? siteId}</>;
  return (
    <Link
      to="/$org/$domain"
      params={{ org, domain: site.slug }}
      className="text-accent-text hover:underline"
    >
      {site.name}
    </Link>
  );
}

function Shown({ value }: { value: Value }) {
  if (value === null || value === '') return <span className="text-muted">–</span>;
  if (typeof value === 'boolean') return <>{value ? 'On' : 'Off'}</>;
  if (Array.isArray(value)) {
    return (
      <ul className="flex flex-col gap-0.5">
        {value.map((item) => (
          <li key={item} className="break-words">
            {item}
          </li>
        ))}
      </ul>
    );
  }
  return <span className="break-words whitespace-pre-wrap">{value}</span>;
}
