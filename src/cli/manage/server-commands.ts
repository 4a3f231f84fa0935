import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ApiClient } from '../api-client.ts';
import { createOutput, formatTable, type Output } from '../output.ts';

/** The options of every command that talks to a platform. */
export interface ServerOptions {
  url?: string;
  key?: string;
  json?: boolean;
}

export interface SiteOptions extends ServerOptions {
  site: string;
}

/** Adds commands that talk to a platform. */
export interface ServerCommands {
  program: Command;
  /** Adds a command with `ServerOptions`. */
  add(parent: Command, usage: string, description: string): Command;
  /** Adds a command with `SiteOptions`. */
  addForSite(parent: Command, usage: string, description: string): Command;
  /**
   * Returns the action of a command.
   * @param act receives the arguments of the command and its options; a number that it returns is the exit code
   */
  action<Args extends unknown[]>(
    act: (api: ApiClient, output: Output, ...args: Args) => Promise<unknown>,
  ): (...args: Args) => Promise<void>;
}

export function createServerCommands(
  program: Command,
  env: NodeJS.ProcessEnv,
  setExitCode: (code: number) => void,
): ServerCommands {
  const add = (parent: Command, usage: string, description: string) =>
    parent
      .command(usage)
      .description(description)
      .addOption(
        new Option('--url <address>', 'the platform to connect to; by default the one of the data folder').env('DOCENT_URL'),
      )
      .addOption(new Option('--key <key>', 'admin key (svc_…) for --url').env('DOCENT_API_KEY'))
      .addOption(jsonOption());
  return {
    program,
    add,
    addForSite: (parent, usage, description) =>
      add(parent, usage, description).requiredOption('--site <slug>', 'identifier of the site'),
    action:
      (act) =>
      async (...args) => {
        // Commander passes the arguments, then the options, then the command.
        const options = args.at(-2) as ServerOptions;
        const { withApi } = await import('../connect.ts');
        const code = await withApi(env, options, (api) => act(api, createOutput(options), ...args));
        if (typeof code === 'number') setExitCode(code);
      },
  };
}

export function jsonOption(): Option {
  return new Option('--json', 'print the result as one line of JSON');
}

export interface PageOptions {
  limit: number;
  cursor?: string;
}

/** Adds `PageOptions`. */
export function withPaging(command: Command, max: number, limit: number, what = 'maximum number'): Command {
  return command
    .option('--limit <count>', `${what}, 1 to ${max}`, readCount(max), limit)
    .option('--cursor <cursor>', 'continue from the cursor of the previous output');
}

export function readCount(max: number) {
  return (text: string): number => {
    const count = Number(text);
    if (!/^\d{1,4}$/.test(text) || count < 1 || count > max) throw new InvalidArgumentError(`Use a number, 1 to ${max}.`);
    return count;
  };
}

/** Returns a path with the given parameters, without those that are undefined. */
export function withQuery(path: string, parameters: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
  return `${path}?${query}`;
}

/** Prints a page of a list as a table, and how to get the next one. */
export function printPage(output: Output, page: { nextCursor: string | null }, rows: string[][]): void {
  output.print(formatTable(rows));
  if (page.nextCursor !== null && !output.isJson) output.note(`There is more: --cursor ${page.nextCursor}`);
  output.json(page);
}

/** Reads every item of a list, page by page. */
export async function readAll<Item>(api: ApiClient, path: string, organisation?: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more: string = cursor === '' ? '' : `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
    const page: { items: Item[]; nextCursor: string | null } = await api.request({
      method: 'GET',
      path: path + more,
      organisation,
    });
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}
