import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadThemeFiles } from '@docent/compiler/assets/dist-files.ts';
import { DevSite } from '@docent/compiler/dev/dev-site.ts';
import { afterAll, expect, it } from 'vitest';
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

it('shows what a reader with the given groups sees, and reports the other pages as no problem', async () => {
  const site = mkdtempSync(join(tmpdir(), 'docent-dev-groups-'));
  const page = (name: string, text: string) => writeFileSync(join(site, `${name}.mdx`), text);
  const pages = ['index', 'runbook', 'sales'];
  const settings = {
    theme: 'mint',
    name: 'Acme',
    colors: { primary: '#123456' },
    navigation: { pages },
  };
  writeFileSync(join(site, 'docs.json'), JSON.stringify(settings));
  page('index', "---\ntitle: Start\n---\n\n{user.groups?.includes('staff') && 'For staff.'}\n");
  page('runbook', '---\ntitle: Runbook\ngroups: [staff]\n---\n\nSecret steps.\n');
  page('sales', '---\ntitle: Sales\ngroups: [sales]\n---\n\nPrices.\n');
  const theme = await loadThemeFiles();
  const read = async (groups: string[] | undefined, path: string) => {
    const dev = await DevSite.open(site, { groups });
    const content = new DevContent(dev, theme, () => 'http://localhost:3000', groups);
    const answer = (await content.at(path))?.find({ path, query: '', wantsMarkdown: false });
    const text = answer?.kind === 'body' ? String(await answer.read()) : '';
    const codes = dev.diagnostics().map(({ code }) => code);
    return { text, codes };
  };
  const nobody = await read(undefined, '/');
  expect(nobody.text).not.toMatch(/For staff|Runbook|Sales/);
  expect(nobody.codes).toContain('restricted-page');
  const staff = await read(['staff'], '/');
  expect(staff.text).toContain('For staff.');
  expect(staff.text).toContain('Runbook');
  expect(staff.text).not.toContain('Sales');
  expect(staff.codes).not.toContain('restricted-page');
  expect((await read(['staff'], '/runbook')).text).toContain('Secret steps.');
  expect((await read(['staff'], '/sales')).text).not.toContain('Prices.');
  rmSync(site, { recursive: true });
});
