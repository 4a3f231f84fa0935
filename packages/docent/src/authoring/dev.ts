import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { threadLimits } from '@docent/compiler/process/build-limits.ts';
import { moduleUrl } from '@docent/compiler/process/own-modules.ts';
import { PAGE_FILE } from '@docent/compiler/site/page-paths.ts';
import { hasConfig } from '@docent/compiler/source/folder-files.ts';
import { openSourceFolder } from '@docent/compiler/source/source-tree.ts';
import { DocentError } from '@docent/format/errors.ts';
import type { DevThreadData, DevThreadMessage } from '@docent/server/start/dev-thread.ts';
import { untilSignal } from '../kernel/commands.ts';
import type { Output } from '../kernel/output.ts';
import { DevReport } from './dev-report.ts';
import { openLocalSources, type SourceFlag } from './local-sources.ts';

export interface DevOptions extends SourceFlag {
  /** `false`: nothing is fetched from the network. */
  fetch?: boolean;
  /** `false`: the pages of the last build are not used, and those of this one not kept. */
  cache?: boolean;
  port: number;
  /** Address to listen on for other machines in the network. */
  host?: string;
  /** Those of the reader who sees the site. */
  groups?: readonly string[];
  open?: boolean;
}

/**
 * `docent dev <folder>`: serves the site of a folder and shows each change at once, until a signal ends it. Runs in a thread,
 * because the page parser needs a larger stack than a process starts with.
 * @returns exit code 0
 * @throws DocentError if the folder has no configuration, or no port is free
 */
export async function runDev(
  folder: string,
  options: DevOptions,
  output: Output,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const root = documentationFolder(folder);
  const parts = await openLocalSources(options, folder);
  const data: DevThreadData = {
    folder: root,
    parts,
    port: options.port,
    host: options.host,
    groups: options.groups,
    env: { ...env },
    fetches: options.fetch !== false,
    caches: options.cache !== false,
  };
  const worker = new Worker(moduleUrl('../../../server/src/start/dev-thread.ts', import.meta.url), {
    workerData: data,
    resourceLimits: threadLimits,
  });
  const ended = Promise.withResolvers<never>();
  const report = new DevReport(root, output, parts);
  worker.on('error', ended.reject);
  worker.on('message', (message: DevThreadMessage) => {
    if (message.type === 'refused') ended.reject(new DocentError(message.code, message.detail));
    else print(message, options, output, report);
  });
  return untilSignal((stopped) =>
    Promise.race([ended.promise, stopped]).finally(() => worker.terminate()),
  );
}

/**
 * Returns the absolute path of a folder with `docs.json` or Markdown. If it has neither, throws and
 * suggests a likely subfolder.
 */
function documentationFolder(folder: string): string {
  const root = resolve(folder);
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new DocentError('build_failed', `There is no folder ${folder}.`);
  if (hasConfig(root)) return root;
  const meant = ['docs', 'documentation', 'website'].find((name) => hasConfig(join(root, name)));
  if (
    meant === undefined &&
    openSourceFolder(root)
      .paths()
      .some((path) => PAGE_FILE.test(path))
  )
    return root;
  const remedy = meant
    ? `Did you mean ${join(folder, meant)}?`
    : `Specify the folder that contains it, or write one with "docent init ${folder}".`;
  throw new DocentError('build_failed', `There is no docs.json in ${folder}. ${remedy}`);
}

function print(
  message: Exclude<DevThreadMessage, { type: 'refused' }>,
  options: DevOptions,
  output: Output,
  report: DevReport,
): void {
  switch (message.type) {
    case 'ready': {
      const url = `http://localhost:${message.port}`;
      const others =
        options.host === undefined
          ? []
          : networkAddresses().map((address) => `http://${address}:${message.port}`);
      output.print(
        `Your documentation is at ${[url, ...others].join(' and ')}. It reloads on every change; press Ctrl-C to stop.`,
      );
      if (options.groups)
        output.note(
          `You see what a reader sees who signed in ${options.groups.length === 0 ? 'and has no groups' : `with the groups ${options.groups.join(', ')}`}.`,
        );
      if (message.port !== options.port && options.port !== 0)
        output.note(`Port ${options.port} is in use, using ${message.port}.`);
      if (!message.isWatched)
        output.note('This file system does not report changes, so they show after a short delay.');
      output.json({ url, port: message.port });
      if (options.open) openBrowser(url);
      return;
    }
    case 'changed':
      if (message.fault) report.announce(message.fault);
      else
        output.note(
          `${message.names.slice(0, 3).join(', ') || 'changes'} → shown after ${Math.round(message.durationMs)} ms`,
        );
      return;
    case 'checked':
      report.update(message.diagnostics);
  }
}

function networkAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter((networkInterface) => networkInterface.family === 'IPv4' && !networkInterface.internal)
    .map((networkInterface) => networkInterface.address);
}

/** Opens the desktop's browser; without one, the printed address remains. */
function openBrowser(url: string): void {
  const openers: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
    darwin: ['open'],
    win32: ['cmd', '/c', 'start', ''],
  };
  const [command, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
