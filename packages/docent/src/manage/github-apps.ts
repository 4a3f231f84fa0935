import type { Schema } from '../kernel/api-client.ts';
import { apiPath, type Commands } from '../kernel/commands.ts';
import { formatTable } from '../kernel/output.ts';

interface Repository {
  url: string;
  defaultBranch: string;
}

/** `docent github-apps …` */
export function addGitHubAppCommands({ program, add }: Commands): void {
  const apps = program
    .command('github-apps')
    .description(
      'List and remove the GitHub Apps of the organization; create them in the dashboard',
    );
  add(apps, 'list', 'List the GitHub Apps of the organization').run(async (api, output) => {
    const answer = await api.get<{ items: Schema<'GitHubApp'>[] }>('/v1/github-apps?limit=100');
    const rows = answer.items.map(({ id, host, name, owner, installUrl }) => [
      id,
      host,
      name,
      owner ?? '-',
      installUrl,
    ]);
    output.result(rows.length === 0 ? 'No GitHub Apps.' : formatTable(rows), answer);
  });
  add(apps, 'repositories <id>', 'List the repositories that a GitHub App is installed for').run(
    async (api, output, id: string) => {
      const path = apiPath`/v1/github-apps/${id}/repositories`;
      const answer = await api.get<{ repositories: Repository[] }>(path);
      const rows = answer.repositories.map(({ url, defaultBranch }) => [url, defaultBranch]);
      output.result(
        rows.length === 0 ? 'It is installed for no repository.' : formatTable(rows),
        answer,
      );
    },
  );
  add(
    apps,
    'remove <id>',
    'Delete the key of a GitHub App that no site uses, and uninstall it',
  ).run(async (api, output, id: string) => {
    await api.delete(apiPath`/v1/github-apps/${id}`);
    output.result(`Removed ${id}; delete the app itself at GitHub.`, { id, removed: true });
  });
}
