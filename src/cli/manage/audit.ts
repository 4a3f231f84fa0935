import type { Schema } from '../api-client.ts';
import { type PageOptions, printPage, type ServerCommands, withPaging, withQuery } from './server-commands.ts';

interface AuditOptions extends PageOptions {
  actor?: string;
  action?: string;
  thing?: string;
  from?: string;
  to?: string;
}

/** `docent audit` */
export function addAuditCommand({ program, add, action }: ServerCommands): void {
  const audit = add(program, 'audit', 'Show who changed what in the organization, newest first')
    .option('--actor <id>', 'only actions of this key; "operator" for commands on the server')
    .option('--action <operation>', 'only this operation, for example createKey')
    .option('--thing <id>', 'only actions on this site, key or job')
    .option('--from <time>', 'from this date or time on')
    .option('--to <time>', 'up to this date or time');
  withPaging(audit, 1000, 50, 'maximum number of entries').action(
    action(async (api, output, options: AuditOptions) => {
      const { actor, action: operation, thing, from: dateFrom, to: dateTo, limit, cursor } = options;
      const path = withQuery('/v1/audit-log', { actor, action: operation, thing, dateFrom, dateTo, limit, cursor });
      const page = await api.request<{ items: Schema<'AuditEntry'>[]; nextCursor: string | null }>({ method: 'GET', path });
      printPage(output, page, [['TIME', 'ACTOR', 'ADDRESS', 'ACTION', 'THING', 'OUTCOME'], ...page.items.map(cellsOf)]);
    }),
  );
}

function cellsOf({ time, actor, address, action, thing, outcome, code }: Schema<'AuditEntry'>): string[] {
  return [time, actor, address ?? '-', action, thing ?? '-', code === null ? outcome : `${outcome} (${code})`];
}
