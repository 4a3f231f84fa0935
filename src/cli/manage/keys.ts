import { InvalidArgumentError, Option } from 'commander';
import type { Schema } from '../api-client.ts';
import { formatTable } from '../output.ts';
import type { ServerCommands, ServerOptions } from './server-commands.ts';

interface KeyOptions extends ServerOptions {
  kind: 'assistant' | 'admin';
  name: string;
  site?: string;
  expiresInDays?: number | null;
  scope?: string[];
  ip?: string[];
  origin?: string[];
}

/** `docent keys …` */
export function addKeyCommands({ program, add, action }: ServerCommands): void {
  const keys = program.command('keys').description('Create, list and revoke API keys');
  add(keys, 'create', 'Create a key and print it; it is shown this once')
    .addOption(new Option('--kind <kind>', 'the purpose of the key').choices(['assistant', 'admin']).makeOptionMandatory())
    .option('--site <slug>', 'site of an assistant key')
    .option('--name <name>', 'name shown in lists', 'created on the command line')
    .option('--expires-in-days <days>', '7, 30, 60, 90 or never (default: 90)', readDays)
    .option('--scope <scope...>', 'read, write or keys; for admin keys')
    .option('--ip <address...>', 'addresses or CIDR ranges that may use the key')
    .option('--origin <origin...>', 'web origins that may use the key; for assistant keys')
    .action(
      action(async (api, output, { kind, name, expiresInDays, site, scope, ip, origin }: KeyOptions) => {
        const body = {
          kind,
          name,
          ...(expiresInDays !== undefined && { expiresInDays }),
          ...(site && { site }),
          ...(scope && { scopes: scope }),
          ...(ip && { ipAllowlist: ip }),
          ...(origin && { originAllowlist: origin }),
        };
        const created = await api.request<{ key: string } & Schema<'ApiKey'>>({ method: 'POST', path: '/v1/keys', body });
        output.print(created.key);
        if (!output.isJson)
          output.note(created.expiresAt === null ? 'It never expires.' : `It expires on ${dayOf(created.expiresAt)}.`);
        output.json(created);
      }),
    );
  add(keys, 'list', 'List the keys of the organization, masked').action(
    action(async (api, output) => {
      const { keys: found } = await api.request<{ keys: Schema<'ApiKey'>[] }>({ method: 'GET', path: '/v1/keys' });
      const head = ['ID', 'KIND', 'SITE', 'SCOPES', 'KEY', 'CREATED', 'EXPIRES', 'LAST USED', 'NAME'];
      output.print(formatTable([head, ...found.map(cellsOf)]));
      output.json({ keys: found });
    }),
  );
  add(keys, 'revoke <id>', 'Revoke a key at once, and the keys that it created').action(
    action(async (api, output, id: string) => {
      await api.request({ method: 'DELETE', path: `/v1/keys/${encodeURIComponent(id)}` });
      output.print(`Revoked ${id} and the keys that it created.`);
      output.json({ id, revoked: true });
    }),
  );
}

function readDays(text: string): number | null {
  if (text === 'never') return null;
  const days = Number(text);
  if (![7, 30, 60, 90].includes(days)) throw new InvalidArgumentError('Use 7, 30, 60, 90 or never.');
  return days;
}

function cellsOf(key: Schema<'ApiKey'>): string[] {
  const scopes = key.kind === 'assistant' ? '-' : key.scopes.join(',') || 'all';
  const expiry = key.expiresAt === null ? 'never' : dayOf(key.expiresAt);
  const expires = key.revokedAt === null ? expiry : 'revoked';
  const lastUsed = key.lastUsedAt === null ? 'never' : dayOf(key.lastUsedAt);
  return [key.id, key.kind, key.site ?? '-', scopes, key.masked, dayOf(key.createdAt), expires, lastUsed, key.name];
}

const dayOf = (time: string): string => time.slice(0, 10);
