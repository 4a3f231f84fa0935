import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { searchFiles } from '@docent/compiler/site/search-files.ts';
import { searchHead } from '@docent/compiler/site/search-scripts.ts';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('../../', import.meta.url));
const QUERIES = 60;

/**
 * Puts the index into an exported site, opens that from disk and types queries. Returns the
 * milliseconds of each but the first.
 */
export async function measureInBrowser(
  indexBytes: Uint8Array,
  queries: readonly string[],
): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-bundle-search-'));
  try {
    await writeSite(folder, indexBytes);
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH ?? '',
      args: ['--no-sandbox'],
    });
    try {
      const page = await browser.newPage();
      await page.goto(pathToFileURL(join(folder, 'index.html')).href);
      await page.keyboard.press('Control+k');
      await page.locator('.d-search input').waitFor();
      const chosen = queries.filter((_, i) => i % Math.ceil(queries.length / QUERIES) === 0);
      // As text, because it runs in the page, whose types are not known here.
      const times = await page.evaluate<number[]>(`(${TYPE_AND_WAIT})(${JSON.stringify(chosen)})`);
      return times.slice(1);
    } finally {
      await browser.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeSite(folder: string, indexBytes: Uint8Array): Promise<void> {
  const archive = join(folder, 'bundle.tar.gz');
  spawnSync(process.execPath, [
    join(root, 'packages/docent/src/main.ts'),
    'export',
    join(root, 'test/sites/basic'),
    '--out',
    archive,
  ]);
  spawnSync('tar', ['-xzf', archive], { cwd: folder });
  const index = join(folder, 'index.html');
  const cut = { name: 'search-index-00000000', languages: [] };
  const head = searchHead(cut);
  await writeFile(
    index,
    (await readFile(index, 'utf8')).replaceAll(/search-index-[0-9a-f]{8}\.js/g, head),
  );
  for (const { path, bytes } of searchFiles(indexBytes, cut))
    await writeFile(join(folder, path), bytes);
}

const TYPE_AND_WAIT = `async (queries) => {
  const input = document.querySelector('.d-search input');
  const results = document.querySelector('.d-search-results');
  const times = [];
  for (const query of queries) {
    const start = performance.now();
    const answered = new Promise((resolve) => {
      const observer = new MutationObserver(() => { observer.disconnect(); resolve(); });
      observer.observe(results, { childList: true, subtree: true, characterData: true });
    });
    input.value = query;
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await answered;
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 350));
  }
  return times;
}`;
