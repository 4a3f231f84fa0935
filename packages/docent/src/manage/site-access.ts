import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { DocentError } from '@docent/format/errors.ts';
import type { Command } from 'commander';
import type { Schema } from '../kernel/api-client.ts';
import {
  apiPath,
  type Commands,
  type PageOptions,
  printPage,
  type SiteOptions,
  withPaging,
  withQuery,
} from '../kernel/commands.ts';
import { formatTable, type Output } from '../kernel/output.ts';

interface SetOptions extends SiteOptions {
  visibility?: string;
  sessionDays?: string;
  passwordStdin?: boolean;
  password?: false;
  from?: string;
}

const pathOf = (site: string) => apiPath`/v1/projects/${site}/access`;
const readersOf = (site: string) => apiPath`/v1/projects/${site}/readers`;
const sessionsOf = (site: string) => apiPath`/v1/projects/${site}/reader-sessions`;

/** `docent access …` */
export function addSiteAccessCommands({ program, addForSite }: Commands): void {
  const access = program
    .command('access')
    .description('Say who may read a site, and see which readers are signed in');
  addForSite(access, 'show', 'Show who may read a site, and how readers sign in').run(
    async (api, output, { site }: SiteOptions) => showAccess(await api.get(pathOf(site)), output),
  );
  addForSite(access, 'set', 'Change who may read a site, and how readers sign in')
    .choice('--visibility <who>', 'who reads it: everyone, or readers who sign in', [
      'public',
      'private',
    ])
    .option('--session-days <days>', 'days after which readers sign in again')
    .option('--password-stdin', 'read the password that readers share from standard input')
    .option('--no-password', 'end the password that readers share')
    .option(
      '--from <file>',
      'JSON with the fields of the API, such as oidc, saml and jwt; - reads standard input',
    )
    .run(async (api, output, options: SetOptions) => {
      const body = await bodyFrom(options);
      if (Object.keys(body).length === 0)
        throw new DocentError(
          'invalid_setting',
          'Nothing to change: add an option, such as --visibility private.',
        );
      showAccess(await api.patch(pathOf(options.site), body), output);
    });
  addForSite(
    access,
    'create-token-key',
    'Create the key for tokens of readers, and print its private half this once',
  ).run(async (api, output, { site }: SiteOptions) => {
    const created = await api.post<{ privateKey: string }>(`${pathOf(site)}/jwt-key`);
    output.result(created.privateKey.trim(), created);
  });
  addReaderCommands(access, addForSite);
  addList(addForSite(access, 'sessions', 'List the readers who are signed in, the newest first'), {
    pathOf: sessionsOf,
    head: ['ID', 'READER', 'BY', 'GROUPS', 'SIGNED IN', 'LAST USED', 'ENDS'],
    rowOf: (session: Schema<'ReaderSession'>) => {
      const { id, name, method, groups, createdAt, usedAt, expiresAt } = session;
      return [id, name ?? '-', method, groups.join(', ') || '-', createdAt, usedAt, expiresAt];
    },
    empty: 'Nobody is signed in.',
  });
  addForSite(access, 'revoke [id]', 'End the session of a reader')
    .option('--all', 'end the sessions of all readers')
    .run(
      async (
        api,
        output,
        id: string | undefined,
        { site, all }: SiteOptions & { all?: boolean },
      ) => {
        if ((id === undefined) !== (all === true))
          throw new DocentError(
            'invalid_setting',
            'Name a session, as "docent access sessions" lists it, or use --all.',
          );
        const path =
          id === undefined ? sessionsOf(site) : `${sessionsOf(site)}/${encodeURIComponent(id)}`;
        const answer = await api.delete<{ ended: number } | undefined>(path);
        output.result(
          id === undefined
            ? `${answer?.ended ?? 0} readers have to sign in again.`
            : `Ended ${id}.`,
          answer ?? { id },
        );
      },
    );
}

/** Makes a command print a page of a list of a site. */
function addList<Item>(
  command: ReturnType<Commands['addForSite']>,
  {
    pathOf: listOf,
    head,
    rowOf,
    empty,
  }: {
    pathOf: (site: string) => string;
    head: string[];
    rowOf: (item: Item) => string[];
    empty: string;
  },
): void {
  withPaging(command, 100, 100).run(
    async (api, output, { site, limit, cursor }: SiteOptions & PageOptions) => {
      const path = withQuery(listOf(site), { limit, cursor });
      const page = await api.get<{ items: Item[]; nextCursor: string | null }>(path);
      if (page.items.length === 0) output.result(empty, page);
      else printPage(output, page, [head, ...page.items.map(rowOf)]);
    },
  );
}

function addReaderCommands(access: Command, addForSite: Commands['addForSite']): void {
  addList(addForSite(access, 'readers', 'List the readers and email domains that a site names'), {
    pathOf: readersOf,
    head: ['ID', 'ADDRESS', 'GROUPS', 'ADDED'],
    rowOf: ({ id, address, groups, createdAt }: Schema<'SiteReader'>) => [
      ...[id, address, groups.join(', ') || '-', createdAt],
    ],
    empty: 'The site names no readers.',
  });
  addForSite(
    access,
    'invite <address>',
    'Name a reader by email address, or all of an email domain, with groups',
  )
    .option('--groups <names>', 'groups that they have, separated by commas')
    .run(async (api, output, address: string, options: SiteOptions & { groups?: string }) => {
      const groups = (options.groups ?? '').split(',').map((name) => name.trim());
      const body = { address, groups: groups.filter(Boolean) };
      const reader = await api.post<Schema<'SiteReader'>>(readersOf(options.site), body);
      output.result(`${reader.address}: ${reader.groups.join(', ') || 'no groups'}`, reader);
    });
  addForSite(
    access,
    'remove <id>',
    'Remove a reader or a domain, and end the sessions that only it allowed',
  ).run(async (api, output, id: string, { site }: SiteOptions) => {
    await api.delete(`${readersOf(site)}/${encodeURIComponent(id)}`);
    output.result(`Removed ${id}.`, { id });
  });
}

async function bodyFrom({
  visibility,
  sessionDays,
  passwordStdin,
  password,
  from,
}: SetOptions): Promise<object> {
  if (passwordStdin && from === '-')
    throw new DocentError(
      'invalid_setting',
      'Only one of --password-stdin and --from can read standard input.',
    );
  const input =
    from && readJson(from, from === '-' ? await text(process.stdin) : await readFile(from, 'utf8'));
  return {
    ...input,
    ...(visibility !== undefined && { visibility }),
    ...(sessionDays !== undefined && { sessionDays: Number(sessionDays) }),
    ...(passwordStdin && {
      password: { password: (await text(process.stdin)).replace(/\r?\n$/, '') },
    }),
    ...(password === false && { password: null }),
  };
}

function readJson(name: string, content: string): object {
  try {
    const value: unknown = JSON.parse(content);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Refused below.
  }
  throw new DocentError(
    'invalid_setting',
    `${name} must be a JSON object, such as {"visibility":"private"}.`,
  );
}

function showAccess(access: Schema<'SiteAccess'>, output: Output): void {
  const { visibility, sessionDays, password, members, mail, oidc, saml, oauth, jwt, addresses } =
    access;
  const rows = [
    ['Read by', visibility === 'private' ? 'readers who sign in' : 'everyone'],
    ['Signed in for', `${sessionDays} days`],
    ['Password', password ? `changed ${password.changedAt}` : '-'],
    ['Members', members ? 'with their accounts' : '-'],
    ['Links by mail', mail ? 'for the readers that the site names' : '-'],
    ['OpenID Connect', oidc ? `${oidc.issuer}, client ${oidc.clientId}` : '-'],
    ['SAML 2.0', saml ? `${saml.entityId}, certificate until ${saml.certificatesEndAt}` : '-'],
    ['OAuth 2', oauth ? `${oauth.authorizationUrl}, client ${oauth.clientId}` : '-'],
    ['Tokens (JWT)', jwt ? (jwt.loginUrl ?? 'from readers who come with one') : '-'],
    ['Sign-in', addresses.login],
    ['Redirect address', addresses.oauthCallback],
    ['Address for assertions', addresses.samlCallback],
    ['Entity ID and metadata', addresses.samlMetadata],
    ['Address for tokens', addresses.jwtCallback],
  ];
  output.result(formatTable(rows), access);
}
