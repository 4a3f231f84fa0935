import { expect, it } from 'vitest';
import { unusedFiles } from './unused-files.ts';

it('images and snippets without a reference are reported, and files with implicit uses are not', () => {
  const texts = new Map([
    [
      'index.mdx',
      '![A](/images/a.png)\nimport X from "/snippets/used.mdx"\n<img src={base + "/B%20c.png"} />',
    ],
    ['docs.json', '{"logo": "/logo.svg"}'],
    ['snippets/used.mdx', 'text'],
    ['snippets/self.mdx', 'This is self.mdx.'],
  ]);
  const assets = [
    'images/a.png',
    'images/B c.png',
    'images/lost.png',
    'logo.svg',
    'favicon.ico',
    'style.css',
  ];
  const found = unusedFiles(assets, ['snippets/used.mdx', 'snippets/self.mdx'], texts);
  expect(found.map((one) => `${one.severity} ${one.file}`)).toEqual([
    'info images/lost.png',
    'info snippets/self.mdx',
  ]);
});
