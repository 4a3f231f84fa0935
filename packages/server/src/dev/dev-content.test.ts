import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadThemeFiles } from '@docent/compiler/assets/dist-files.ts';
import { DevSite } from '@docent/compiler/dev/dev-site.ts';
import { afterAll } from 'vitest';
import { siteContentContract, writeContractSite } from '../ports/site-content.contract.ts';
import type { SiteContent } from '../ports/site-content.ts';
import { DevContent } from './dev-content.ts';

const folder = mkdtempSync(join(tmpdir(), 'docent-dev-content-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let opened: Promise<DevContent> | undefined;

async function open(): Promise<DevContent> {
  writeContractSite(folder);
  return new DevContent(
    await DevSite.open(folder),
    await loadThemeFiles(),
    () => 'http://localhost:3000',
  );
}

// The content of a published site is the same code; only the client script and caching differ.
siteContentContract('the site of docent dev', async (path) => {
  opened ??= open();
  return (await (await opened).at(path)) as SiteContent;
});
