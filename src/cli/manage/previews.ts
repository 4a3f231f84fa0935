import type { Schema } from '../api-client.ts';
import { formatTable } from '../output.ts';
import { readAll, readCount, type ServerCommands, type SiteOptions } from './server-commands.ts';
import { sitePath } from './sites.ts';

interface CreateOptions extends SiteOptions {
  password?: string;
  /** Remove the password. */
  public?: boolean;
  lifetimeDays?: number | null;
}

/** `docent previews …` */
export function addPreviewCommands({ program, addForSite, action }: ServerCommands): void {
  const previews = program.command('previews').description('List, create and delete previews of a site');
  addForSite(previews, 'list', 'List the previews of a site').action(
    action(async (api, output, { site }: SiteOptions) => {
      const items = await readAll<Schema<'Preview'>>(api, sitePath(site, '/previews'));
      const rows = items.map(({ name, branch, lastDeployment, hasPassword, expiresAt, url }) => [
        name,
        branch,
        lastDeployment?.status ?? '-',
        hasPassword ? 'password' : 'public',
        expiresAt ?? 'never',
        url,
      ]);
      output.print(formatTable([['PREVIEW', 'BRANCH', 'STATE', 'READERS', 'EXPIRES', 'ADDRESS'], ...rows]));
      output.json({ items });
    }),
  );
  addForSite(
    previews,
    'create <branch>',
    'Create a preview, or change its password and lifetime; "docent publish --preview" fills it',
  )
    .option('--password <password>', 'password that readers need, at least 8 characters')
    .option('--public', 'remove the password')
    .option('--lifetime-days <days>', 'days that it is kept after each deployment, or "never" if it never expires', readLifetime)
    .action(
      action(async (api, output, branch: string, options: CreateOptions) => {
        const { site, password, lifetimeDays } = options;
        const body = {
          branch,
          ...(password !== undefined && { password }),
          ...(options.public && { password: null }),
          ...(lifetimeDays !== undefined && { lifetimeDays }),
        };
        const preview = await api.request<Schema<'Preview'>>({ method: 'POST', path: sitePath(site, '/previews'), body });
        output.print(`${preview.name}: ${preview.url}`);
        output.json(preview);
      }),
    );
  addForSite(previews, 'delete <name>', 'Delete a preview with its deployments').action(
    action(async (api, output, name: string, { site }: SiteOptions) => {
      await api.request({ method: 'DELETE', path: sitePath(site, `/previews/${encodeURIComponent(name)}`) });
      output.print(`Deleted ${name} with its deployments.`);
      output.json({ name, deleted: true });
    }),
  );
}

function readLifetime(text: string): number | null {
  return text === 'never' ? null : readCount(3650)(text);
}
