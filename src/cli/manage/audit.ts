import type { ApiClient } from '../api-client.ts';
import { formatTable, type Output } from '../output.ts';

export interface AuditOptions {
  actor?: string;
  action?: string;
  thing?: string;
  from?: string;
  to?: string;
  limit: number;
  cursor?: string;
}

interface Entry {
  time: string;
  actor: string;
  action: string;
  thing: string | null;
  address: string | null;
  outcome: string;
  code: string | null;
}

/** `docent audit`: the audit log, newest first. */
export async function listAudit(api: ApiClient, options: AuditOptions, output: Output): Promise<void> {
  const { actor, action, thing, from: dateFrom, to: dateTo, limit, cursor } = options;
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries({ actor, action, thing, dateFrom, dateTo, limit, cursor }))
    if (value !== undefined) asked.set(name, String(value));
  const path = `/v1/audit-log?${asked}`;
  const page = await api.request<{ items: Entry[]; nextCursor: string | null }>({ method: 'GET', path });
  const head = ['TIME', 'ACTOR', 'ADDRESS', 'ACTION', 'THING', 'OUTCOME'];
  output.print(formatTable([head, ...page.items.map(cellsOf)]));
  if (page.nextCursor !== null && !output.isJson) output.note(`There is more: --cursor ${page.nextCursor}`);
  output.json(page);
}

function cellsOf({ time, actor, address, action, thing, outcome, code }: Entry): string[] {
  return [time, actor, address ?? '-', action, thing ?? '-', code === null ? outcome : `${outcome} (${code})`];
}
