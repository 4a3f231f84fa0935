import { expect, test } from 'vitest';
import { fakeOutsideFiles } from '../../../../test/support/fakes.ts';
import { memorySourceTree } from '../source/source-tree.ts';
import {
  type FetchOutside,
  type OutsideText,
  outsideDiagnostics,
  readWithOutside,
  withOutsideTexts,
} from './outside.ts';

const tree = memorySourceTree(
  new Map([['a.txt', new TextEncoder().encode('https://one.example')]]),
);

const site = { configFile: 'docs.json', pages: [] };

/** A network with these texts. */
function network(texts: Record<string, string>): FetchOutside {
  const files = Object.entries(texts).map(([url, text]) => [
    url,
    { bytes: new TextEncoder().encode(text), type: '' },
  ]);
  const outside = fakeOutsideFiles(Object.fromEntries(files));
  return (url, { maxBytes }) =>
    outside
      .fetch(url, { maxBytes, timeoutMs: 1000 })
      .catch((error: Error) => ({ fault: error.message }));
}

/** Follows URLs: each text is the URL of the next. */
function chain(source: typeof tree): string[] {
  const found: string[] = [];
  for (let name: string | undefined = 'a.txt'; name !== undefined; name = source.readText(name))
    found.push(name);
  return found;
}

test('a URL in a fetched text is fetched too, and the resulting tree needs no network', async () => {
  const known = new Map<string, OutsideText>();
  const both = network({
    'https://one.example': 'https://two.example',
    'https://two.example': 'https://none.example',
  });
  const expected = ['a.txt', 'https://one.example', 'https://two.example', 'https://none.example'];
  expect(await readWithOutside(tree, known, both, chain)).toEqual(expected);
  expect(chain(withOutsideTexts(tree, known))).toEqual(expected);
  expect(outsideDiagnostics(known, site, tree).map((one) => one.message)).toEqual([
    'The API description at https://none.example is not shown: https://none.example could not be reached.',
  ]);
});

test('an endless chain of URLs is followed only to a limit', async () => {
  let count = 0;
  const endless: FetchOutside = async () => ({
    bytes: new TextEncoder().encode(`https://${++count}.example`),
    type: '',
  });
  await readWithOutside(tree, new Map(), endless, chain);
  expect(count).toBeLessThan(20);
});

test('without permission to fetch, every URL is reported and none is requested', async () => {
  const known = new Map<string, OutsideText>();
  expect(await readWithOutside(tree, known, undefined, chain)).toHaveLength(2);
  expect(outsideDiagnostics(known, site, tree)[0]?.message).toContain('turned off');
});

test('a URL that cannot be read is one error with its line and all pages that show nothing without it', () => {
  const url = 'https://one.example/api.json';
  const text = `{\n  "openapi": "${url}"\n}`;
  const source = memorySourceTree(new Map([['docs.json', new TextEncoder().encode(text)]]));
  const pages = [{ file: 'a.mdx', unread: url }, { file: 'b.mdx' }, { file: 'c.mdx', unread: url }];
  const known = new Map([[url, { fault: 'No answer.' }]]);
  expect(outsideDiagnostics(known, { configFile: 'docs.json', pages }, source)).toMatchObject([
    {
      severity: 'error',
      code: 'remote-description',
      file: 'docs.json',
      line: 2,
      count: 3,
      places: [{ file: 'a.mdx' }, { file: 'c.mdx' }],
    },
  ]);
  expect(outsideDiagnostics(known, { configFile: 'docs.json', pages: [] }, source)).toMatchObject([
    { severity: 'warning', line: 2 },
  ]);
});
