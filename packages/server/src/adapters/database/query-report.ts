import type { LogEvent, OperationNode } from 'kysely';
import type { QueryReport } from '../../ports/database.ts';

type OnQuery = (query: QueryReport) => void;

/** Returns the logger of the query builder that reports each query. */
export function reportQueries(onQuery: OnQuery): (event: LogEvent) => void {
  return (event) =>
    onQuery({
      operation: operationOf(event.query.sql),
      table: tableOf(event.query.query),
      durationMs: event.queryDurationMillis,
      ...(event.level === 'error' && { error: event.error }),
    });
}

/** Runs a query of plain SQL, and reports it. */
export async function timed<Result>(
  sql: string,
  query: () => Promise<Result>,
  onQuery: OnQuery | undefined,
): Promise<Result> {
  if (!onQuery) return query();
  const startedAt = performance.now();
  const report = (failure: Pick<QueryReport, 'error'>) =>
    onQuery({ operation: operationOf(sql), durationMs: performance.now() - startedAt, ...failure });
  try {
    const result = await query();
    report({});
    return result;
  } catch (error) {
    report({ error });
    throw error;
  }
}

function operationOf(sql: string): string {
  return /[a-z]+/i.exec(sql)?.[0].toUpperCase() ?? 'QUERY';
}

/** The nodes of a query that name its table, by what the query does. */
interface QueryNode extends OperationNode {
  from?: { froms: readonly OperationNode[] };
  into?: OperationNode;
  table?: OperationNode | { identifier?: { name: string } };
  node?: OperationNode;
  identifier?: { name: string };
}

/** Returns the first table of a query, without its alias. */
function tableOf(node: OperationNode | undefined): string | undefined {
  if (!node) return undefined;
  const { kind, from, into, table, node: inner, identifier } = node as QueryNode;
  if (kind === 'SchemableIdentifierNode') return identifier?.name;
  return tableOf(from?.froms[0] ?? into ?? (table as OperationNode | undefined) ?? inner);
}
