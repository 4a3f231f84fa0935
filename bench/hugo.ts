import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildSite } from '@docent/compiler/build-site.ts';
import { describeFile } from '@docent/compiler/files/file-sink.ts';
import type { SiteBuild } from '@docent/format/build/site-build.ts';
import { print } from './measure.ts';

/*
 * Compares `docent export` with Hugo, which writes HTML alone: no search index, no archive, no
 * Markdown copies. Both build the same pages in turns; Hugo gets their text as Markdown, with the
 * tags of components as raw HTML, in a plain layout with the menu of the page's tab and highlighted
 * code. Prints medians of CPU (user and system, with all threads and child processes) and of wall
 * time, and the ratio of each pair. Linux only.
 *
 *   node bench/hugo.ts <folder> [--pairs 5] [--hugo hugo]
 *
 * The folder is a docs.json repository. Docent runs without its cache, then again with one when
 * nothing has changed, then with one page changed.
 */

const { values, positionals } = parseArgs({
  options: { pairs: { type: 'string', default: '5' }, hugo: { type: 'string', default: 'hugo' } },
  allowPositionals: true,
});
/** A plain site: the menu of the tab, which is the first folder, on every page. */
const HUGO_FILES = {
  'config.toml': `baseURL = "https://docs.example.com/"
title = "Bench"
disableKinds = ["taxonomy", "term", "RSS"]
[markup.goldmark.renderer]
unsafe = true
[markup.highlight]
noClasses = false
`,
  'layouts/_default/baseof.html': `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ .Title }}</title></head><body>
<nav><ul>{{ range .FirstSection.RegularPagesRecursive }}<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>{{ end }}</ul></nav>
<main>{{ block "main" . }}{{ end }}</main></body></html>
`,
  'layouts/_default/single.html':
    '{{ define "main" }}<h1>{{ .Title }}</h1>{{ .TableOfContents }}{{ .Content }}{{ end }}\n',
  'layouts/_default/list.html': '{{ define "main" }}<h1>{{ .Title }}</h1>{{ .Content }}{{ end }}\n',
  'layouts/index.html': '{{ define "main" }}<h1>{{ .Title }}</h1>{{ .Content }}{{ end }}\n',
};

interface Run {
  cpuSeconds: number;
  wallSeconds: number;
}

async function compare(source: string, pairs: number): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'docent-bench-hugo-'));
  try {
    const [site, hugo] = [join(work, 'docent'), join(work, 'hugo')];
    cpSync(source, site, { recursive: true });
    const pages = await writeHugoSite(site, hugo);
    print(
      `${pages.length} pages, Node.js ${process.versions.node}, ${version.stdout.trim().split(' ').slice(0, 2).join(' ')}`,
    );
    const changed = join(site, pages[0] ?? '');
    const text = readFileSync(changed, 'utf8');
    let edition = 0;
    const runs: Record<string, (string | undefined)[]> = {
      cold: ['--no-cache'],
      'nothing changed': [],
      'one page changed': [],
    };
    for (const [name, args] of Object.entries(runs)) {
      const ours: Run[] = [];
      const theirs: Run[] = [];
      // The first run sets up the checkout, and fills the cache.
      runDocent(site, work, args as string[]);
      for (let pair = 0; pair < pairs; pair++) {
        if (name === 'one page changed')
          writeFileSync(changed, `${text}\n\nEdition ${++edition}.\n`);
        ours.push(runDocent(site, work, args as string[]));
        theirs.push(
          measured(values.hugo, [
            '--quiet',
            '--source',
            hugo,
            '--destination',
            join(work, 'public'),
          ]),
        );
      }
      report(name, ours, theirs);
    }
  } finally {
    rmSync(work, { recursive: true });
  }
}

function runDocent(site: string, work: string, args: readonly string[]): Run {
  const docent = fileURLToPath(new URL('../scripts/docent.mjs', import.meta.url));
  const command = ['export', site, '--out', join(work, 'bundle.tar.gz'), '--no-fetch', ...args];
  return measured(process.execPath, [docent, ...command], { XDG_CACHE_HOME: join(work, 'cache') });
}

function measured(command: string, args: readonly string[], env: Record<string, string> = {}): Run {
  const [cpuBefore, startedAt] = [childCpuSeconds(), performance.now()];
  const run = spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, ...env } });
  if (run.status !== 0) throw new Error(`${command} failed: ${run.stderr || run.stdout}`);
  return {
    cpuSeconds: childCpuSeconds() - cpuBefore,
    wallSeconds: (performance.now() - startedAt) / 1000,
  };
}

/** CPU of the child processes that have ended, and of theirs. */
function childCpuSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

function report(name: string, ours: readonly Run[], theirs: readonly Run[]): void {
  const figures = (['cpuSeconds', 'wallSeconds'] as const).map((figure) => {
    const ratios = ours.map((run, index) => run[figure] / (theirs[index] as Run)[figure]);
    const [our, their] = [ours, theirs].map((runs) =>
      median(runs.map((run) => run[figure])).toFixed(2),
    );
    const range = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
    return `${figure === 'cpuSeconds' ? 'CPU' : 'wall'} ${our} s, Hugo ${their} s, ratio ${median(ratios).toFixed(2)} (${range})`;
  });
  print(`${name}: ${figures.join('; ')}`);
}

/** Writes the pages of a site for Hugo. @returns the files of the pages in the source */
async function writeHugoSite(site: string, to: string): Promise<string[]> {
  const sink = { add: async (bytes: Uint8Array, type: string) => describeFile(bytes, type) };
  const { pages }: SiteBuild = await buildSite(site, sink, { threads: 1, reportOnly: true });
  const files: Record<string, string> = { ...HUGO_FILES };
  const written: string[] = [];
  for (const { file, path, title } of pages) {
    if (!/\.mdx?$/.test(file)) continue;
    const body = readFileSync(join(site, file), 'utf8').replace(/^---\n[\s\S]*?\n---\n/, '');
    // Shortcodes and template actions are Hugo's own.
    files[`content/${path}.md`] =
      `---\ntitle: ${JSON.stringify(title)}\n---\n${body.replaceAll(/\{\{([<%])/g, '{ {$1')}`;
    written.push(file);
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    writeFileSync(join(to, name), text);
  }
  return written;
}

const [folder] = positionals;
const version = spawnSync(values.hugo, ['version'], { encoding: 'utf8' });
if (folder === undefined) print('usage: node bench/hugo.ts <folder> [--pairs 5] [--hugo hugo]');
else if (version.status !== 0)
  print('Hugo is not installed (Debian: apt install hugo), so there is nothing to compare with.');
else await compare(resolve(folder), Number(values.pairs));
