import type { Command } from 'commander';
import type { ApiClient } from '../api-client.ts';
import { createOutput, type Output } from '../output.ts';

interface HostnameOptions {
  site: string;
  url?: string;
  key?: string;
  json?: boolean;
}

/** `docent hostnames …` */
export function addHostnameCommands(
  program: Command,
  withServer: (command: Command) => Command,
  env: NodeJS.ProcessEnv,
  setExitCode: (code: number) => void,
): void {
  const hostnames = program.command('hostnames').description('Show, add, check, approve and remove hostnames of a site');
  const withApi = async (options: HostnameOptions, act: (api: ApiClient, output: Output) => Promise<unknown>) => {
    const code = await (await import('../connect.ts')).withApi(env, options, (api) => act(api, createOutput(options)));
    if (typeof code === 'number') setExitCode(code);
  };
  const command = (usage: string, description: string) =>
    withServer(hostnames.command(usage)).description(description).requiredOption('--site <slug>', 'identifier of the site');

  command('list', 'List the hostnames of a site, and whether they are verified').action(async (options: HostnameOptions) => {
    const { listHostnames } = await import('./hostnames.ts');
    await withApi(options, (api, output) => listHostnames(api, options.site, output));
  });
  command('add <hostname>', 'Add a hostname, and print the DNS records that verify it').action(
    async (hostname: string, options: HostnameOptions) => {
      const { addHostname } = await import('./hostnames.ts');
      await withApi(options, (api, output) => addHostname(api, options.site, hostname, output));
    },
  );
  command('check <hostname>', 'Check the DNS records now; exits with 1 if they are missing').action(
    async (hostname: string, options: HostnameOptions) => {
      const { checkHostname } = await import('./hostnames.ts');
      await withApi(options, (api, output) => checkHostname(api, options.site, hostname, output));
    },
  );
  command('approve <hostname>', 'Approve a hostname without verification; on the server itself').action(
    async (hostname: string, options: HostnameOptions) => {
      const { approveHostname } = await import('./hostnames.ts');
      await withApi(options, (api, output) => approveHostname(api, options.site, hostname, output));
    },
  );
  command('remove <hostname>', 'Remove a hostname from a site').action(async (hostname: string, options: HostnameOptions) => {
    const { removeHostname } = await import('./hostnames.ts');
    await withApi(options, (api, output) => removeHostname(api, options.site, hostname, output));
  });
}
