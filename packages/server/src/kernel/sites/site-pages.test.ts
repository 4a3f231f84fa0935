import { describe, expect, it } from 'vitest';
import { fakeLiveSite, fakePage } from '../../../../../test/support/fakes.ts';
import type { LiveSite } from '../../ports/live-sites.ts';
import { grepFiles, listFiles, readLines } from './site-pages.ts';

function siteOf(texts: Record<string, string>, hidden: string[] = []): LiveSite {
  const pages = Object.keys(texts).map((path) => ({
    ...fakePage(path),
    hidden: hidden.includes(path),
  }));
  const site = fakeLiveSite(
    { siteId: 's', organizationId: 'o', slug: 'acme', deploymentId: 'd' },
    pages,
  );
  const pageContent = async (path: string) => ({
    html: '',
    aside: '',
    toc: [],
    markdown: texts[path] ?? '',
    elements: [],
  });
  return { ...site, pageContent };
}

const site = siteOf(
  {
    index: 'Welcome.',
    'guides/start': 'Install it.\n\nRun `npm start`.',
    'guides/deep/end': 'The end (a+)+$.',
    secret: 'Run away.',
  },
  ['secret'],
);
const grep = (text: string, path = '') => grepFiles(site, { text, path, ignoreCase: true });

describe('the Markdown files of a site', () => {
  it('are listed by folder, with deeper ones as a count and without hidden ones', () => {
    expect(listFiles(site, '', 20)).toBe(
      'index.md  index\nguides/start.md  guides/start\nguides/deep/end.md  guides/deep/end',
    );
    expect(listFiles(site, '/guides/', 1)).toBe(
      'guides/start.md  guides/start\nguides/deep/  1 file',
    );
    expect(listFiles(site, '../../etc', 20)).toBe('There is nothing at ../../etc.');
  });

  it('are read by lines, with the number of remaining lines', async () => {
    expect(await readLines(site, 'guides/start.md', 1, 1)).toBe(
      '1\tInstall it.\n[2 more lines: read from 2]',
    );
    expect(await readLines(site, '/guides/start', 3, 9)).toBe('3\tRun `npm start`.');
    expect(await readLines(site, 'guides/start', 9, 1)).toBe('The file has 3 lines.');
    expect(await readLines(site, '../package.json', 1, 1)).toBeUndefined();
  });

  it('are searched for literal text, not for a pattern', async () => {
    expect(await grep('RUN')).toBe('guides/start.md:3: Run `npm start`.');
    expect(await grep('(a+)+$', 'guides/')).toBe('guides/deep/end.md:1: The end (a+)+$.');
    expect(await grep('.*')).toBe('No line contains ".*".');
    expect(await grepFiles(site, { text: 'RUN', path: '', ignoreCase: false })).toBe(
      'No line contains "RUN".',
    );
  });

  it('never result in much more than 30,000 characters, and report omissions', async () => {
    const long = siteOf(
      Object.fromEntries(
        Array.from({ length: 3000 }, (_, at) => [
          `page-${at}`,
          `match ${'x'.repeat(5000)}\n`.repeat(20),
        ]),
      ),
    );
    for (const text of [
      listFiles(long, '', 20),
      await grepFiles(long, { text: 'match', path: '', ignoreCase: true }),
      await readLines(long, 'page-1', 1, 2000),
    ]) {
      expect(text?.length).toBeLessThan(32_000);
      expect(text).toMatch(/omitted|files were searched/);
    }
  });
});
