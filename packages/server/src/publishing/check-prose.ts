import { createReadStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Diagnostic } from '@docent/format/diagnostics.ts';
import { inFolder, sourceRoot } from '@docent/format/docs-json/site-sources.ts';
import type { Deps } from '../kernel/deps.ts';
import type { ProseAlert } from '../ports/git/prose-linter.ts';
import { listGitSources } from '../sources/queries.ts';
import type { StartedDeployment } from './queries.ts';

/** What Vale reads: pages, its configuration, and files of styles. */
const READ = /\.(?:mdx?|ya?ml|txt|dic|aff)$|(?:^|\/)\.vale\.ini$/i;

/**
 * Checks with Vale how the pages of a deployment are written, where the owner of their repository
 * wants that and the repository has a configuration.
 * @param archive the packed source
 * @param folder an empty folder
 */
export async function checkProse(
  { database, proseLinter }: Pick<Deps, 'database' | 'proseLinter'>,
  { siteId, gitRef }: Pick<StartedDeployment, 'siteId' | 'gitRef'>,
  { archive, folder }: { archive: string; folder: string },
  signal: AbortSignal,
): Promise<Diagnostic[]> {
  const all = gitRef === null ? [] : await listGitSources(database.queries, siteId);
  const sources = all.filter(({ vale }) => vale !== 'off');
  if (sources.length === 0) return [];
  if (!(await proseLinter?.isInstalled()))
    return [
      problem('Vale is not installed on the server, so nobody checked how pages are written.'),
    ];
  await unpackProse(archive, folder);
  const below = all.filter(({ path }) => path !== '');
  const diagnostics: Diagnostic[] = [];
  for (const { path } of sources) {
    const alerts = await proseLinter?.lint(join(folder, path), signal);
    if (typeof alerts === 'string') diagnostics.push({ ...problem(alerts), severity: 'warning' });
    else
      for (const alert of alerts ?? []) {
        const file = inFolder(path, alert.file);
        if (sourceRoot(below, file) === path) diagnostics.push(diagnosticOf({ ...alert, file }));
      }
  }
  return diagnostics;
}

async function unpackProse(archive: string, folder: string): Promise<void> {
  // Few sites are checked like this; what finds secrets in archives takes some MB.
  const { readSourceArchive } = await import('@docent/compiler/source/source-archive.ts');
  const recall = (path: string) => readFile(join(folder, path)).catch(() => new Uint8Array());
  for await (const { path, bytes } of readSourceArchive(createReadStream(archive), recall)) {
    if (!READ.test(path)) continue;
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes);
  }
}

/** An error of Vale is a warning here: readers see the page as it is meant. */
const diagnosticOf = ({ file, line, rule, message, severity }: ProseAlert): Diagnostic => ({
  severity: severity === 'suggestion' ? 'info' : 'warning',
  code: severity === 'error' ? 'vale-error' : 'vale',
  message: `${message} (${rule})`,
  remedy: 'Write it otherwise, or change the rule in .vale.ini.',
  file,
  line,
});

const problem = (message: string): Diagnostic => ({
  severity: 'info',
  code: 'vale',
  message,
  remedy: 'Turn Vale off for the source, or correct this.',
  file: '.vale.ini',
});
