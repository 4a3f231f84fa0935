import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ApiClient } from './api-client.ts';
import { createOutput, formatTable, type Output } from './output.ts';

/** The options of every command that talks to a platform. */
export interface ServerOptions {
  url?: string;
  key?: string;
  json?: boolean;
  organization?: string;
}

export interface SiteOptions extends ServerOptions {
  site: string;
}

/**
 * A command that needs no platform.
 * @param act receives the arguments of the command and its options; a number that it returns is the
 *   exit code
 */
type LocalCommand = Command & {
  run<Args extends unknown[]>(act: (output: Output, ...args: Args) => unknown): void;
};

/** A command that talks to a platform. */
export type ServerCommand = Command & {
  /** Adds an option that takes one of these values. */
  choice(flags: string, description: string, choices: readonly string[]): ServerCommand;
  /**
   * @param noteInstead returns a note for standard error if there is nothing to do; then the
   *   platform is not contacted
   */
  run<Args extends unknown[]>(
    act: (api: ApiClient, output: Output, ...args: Args) => unknown,
    noteInstead?: (options: ServerOptions) => string | undefined,
  ): void;
};

/** Adds commands, each with an option for JSON. */
export interface Commands {
  program: Command;
  addLocal(usage: string, description: string): LocalCommand;
  /** Adds a command with `ServerOptions`. */
  add(parent: Command, usage: string, description: string): ServerCommand;
  /** Adds a command for an organization, by default the first one on the server. */
  addForOrganization(parent: Command, usage: string, description: string): ServerCommand;
  /** Adds a command with `SiteOptions`. */
  addForSite(parent: Command, usage: string, description: string): ServerCommand;
}

export function createCommands(
  program: Command,
  env: NodeJS.ProcessEnv,
  setExitCode: (code: number) => void,
): Commands {
  const onRun = (command: Command, act: (options: ServerOptions, args: unknown[]) => unknown) => {
    command.option('--json', 'print the result as one line of JSON');
    // Commander passes the arguments, then the options, then the command.
    command.action(async (...args) => {
      const code = await act(args.at(-2), args);
      if (typeof code === 'number') setExitCode(code);
    });
  };
  const addLocal: Commands['addLocal'] = (usage, description) => {
    const command = program.command(usage).description(description);
    return Object.assign(command, {
      run: <Args extends unknown[]>(act: (output: Output, ...args: Args) => unknown) =>
        onRun(command, (options, args) => act(createOutput(options), ...(args as Args))),
    });
  };
  const add: Commands['add'] = (parent, usage, description) => {
    const command = parent
      .command(usage)
      .description(description)
      .addOption(
        new Option(
          '--url <address>',
          'the platform to connect to; by default the one of the data folder',
        ).env('DOCENT_URL'),
      )
      .addOption(new Option('--key <key>', 'admin key (svc_…) for --url').env('DOCENT_API_KEY'));
    const serverCommand: ServerCommand = Object.assign(command, {
      choice(flags: string, description: string, choices: readonly string[]) {
        command.addOption(new Option(flags, description).choices(choices));
        return serverCommand;
      },
      run: <Args extends unknown[]>(
        act: (api: ApiClient, output: Output, ...args: Args) => unknown,
        noteInstead?: (options: ServerOptions) => string | undefined,
      ) =>
        onRun(command, async (options, args) => {
          const note = noteInstead?.(options);
          if (note !== undefined) return createOutput(options).note(note);
          const { withApi } = await import('./api-client.ts');
          return withApi(env, options, async (api) =>
            act(api, createOutput(options), ...(args as Args)),
          );
        }),
    });
    return serverCommand;
  };
  return {
    program,
    addLocal,
    add,
    addForOrganization: (parent, usage, description) =>
      add(parent, usage, description).option(
        '--organization <slug>',
        'the organization; by default the first one on the server',
      ),
    addForSite: (parent, usage, description) =>
      add(parent, usage, description).requiredOption('--site <slug>', 'identifier of the site'),
  };
}

/**
 * Runs a server until Ctrl-C or a supervisor's signal; a second signal ends the process at once.
 * @param run receives a promise that resolves at the signal
 * @param onReload called on SIGHUP, which otherwise stops the server too
 * @returns exit code 0
 */
export async function untilSignal(
  run: (stopped: Promise<void>) => Promise<void>,
  onReload?: () => void,
): Promise<number> {
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  let isStopping = false;
  const onSignal = () => {
    if (isStopping) process.exit(130);
    isStopping = true;
    resolve();
  };
  const onHangUp = onReload ?? onSignal;
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal).on('SIGHUP', onHangUp);
  try {
    await run(stopped);
    return 0;
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal).off('SIGHUP', onHangUp);
  }
}

/** Options with a text. */
export type Texts<Name extends string> = { [Each in Name]?: string };

export interface PageOptions {
  limit: number;
  cursor?: string;
}

/** Adds `PageOptions`. */
export function withPaging<One extends Command>(
  command: One,
  max: number,
  limit: number,
  what = 'maximum number',
): One {
  return command
    .option('--limit <count>', `${what}, 1 to ${max}`, readCount(max), limit)
    .option('--cursor <cursor>', 'continue from the cursor of the previous output');
}

export function readCount(max: number) {
  return (text: string): number => {
    const count = Number(text);
    if (!/^\d{1,4}$/.test(text) || count < 1 || count > max)
      throw new InvalidArgumentError(`Use a number, 1 to ${max}.`);
    return count;
  };
}

/** A path of the API with encoded values. */
export function apiPath(parts: TemplateStringsArray, ...values: string[]): string {
  return String.raw({ raw: parts }, ...values.map(encodeURIComponent));
}

/**
 * Returns a path with the given parameters, without those that are undefined; a list is repeated.
 */
export function withQuery(path: string, parameters: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined) query.append(name, String(item));
  return `${path}?${query}`;
}

/** Prints a page of a list as a table, and how to get the next one. */
export function printPage(
  output: Output,
  page: { nextCursor: string | null },
  rows: string[][],
): void {
  const more = page.nextCursor === null ? undefined : `There is more: --cursor ${page.nextCursor}`;
  output.result(formatTable(rows), page, more);
}

/** Reads every item of a list, page by page. */
export async function readAll<Item>(api: ApiClient, path: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | undefined | null; cursor !== null; ) {
    const pagePath = withQuery(path, { cursor });
    const page: { items: Item[]; nextCursor: string | null } = await api.get(pagePath);
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}
