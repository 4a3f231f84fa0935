import type { ApiClient } from '../api-client.ts';
import { formatTable, type Output } from '../output.ts';
import { readAll, sitePath } from './sites.ts';

interface ListedPreview {
  name: string;
  branch: string;
  url: string;
  hasPassword: boolean;
  lastDeployment: { status: string } | null;
  expiresAt: string | null;
}

export interface PreviewOptions {
  password?: string;
  /** Remove the password. */
  public?: boolean;
  lifetimeDays?: number | null;
}

/** `docent previews list` */
export async function listPreviews(api: ApiClient, site: string, output: Output): Promise<void> {
  const items = await readAll<ListedPreview>(api, sitePath(site, '/previews'));
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
}

/** `docent previews create`: also changes an existing preview. */
export async function createPreview(
  api: ApiClient,
  site: string,
  branch: string,
  options: PreviewOptions,
  output: Output,
): Promise<void> {
  const { password, lifetimeDays } = options;
  const body = {
    branch,
    ...(password !== undefined && { password }),
    ...(options.public && { password: null }),
    ...(lifetimeDays !== undefined && { lifetimeDays }),
  };
  const preview = await api.request<ListedPreview>({ method: 'POST', path: sitePath(site, '/previews'), body });
  output.print(`${preview.name}: ${preview.url}`);
  output.json(preview);
}

/** `docent previews delete` */
export async function deletePreview(api: ApiClient, site: string, name: string, output: Output): Promise<void> {
  await api.request({ method: 'DELETE', path: sitePath(site, `/previews/${encodeURIComponent(name)}`) });
  output.print(`Deleted ${name} with its deployments.`);
  output.json({ name, deleted: true });
}
