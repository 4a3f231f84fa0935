import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DocentError, errorCatalog } from './errors.ts';

const pages = fileURLToPath(new URL('../../../docs/errors', import.meta.url));

test('every error has a documentation page with its title, and every such page has an error', () => {
  const documented = readdirSync(pages)
    .map((file) => file.replace(/\.mdx$/, ''))
    .filter((name) => name !== 'index');
  expect(documented.sort()).toEqual(Object.keys(errorCatalog).sort());
  for (const [code, { title }] of Object.entries(errorCatalog)) {
    expect(readFileSync(`${pages}/${code}.mdx`, 'utf8')).toContain(`description: "${title}."`);
  }
});

test('the list of errors in the documentation includes every error', () => {
  const list = readFileSync(`${pages}/index.mdx`, 'utf8');
  for (const [code, { title }] of Object.entries(errorCatalog))
    expect(list).toMatch(
      new RegExp(`\`${code}\`\\]\\(/errors/${code}\\) \\| \\d+ \\| ${title} \\|`),
    );
});

test('an error has the kind and title of its code', () => {
  const error = new DocentError('rate_limited', 'Wait.', { retryAfterSeconds: 3 });
  expect(error).toMatchObject({
    kind: 'rate-limited',
    title: 'Too many requests',
    message: 'Wait.',
    retryAfterSeconds: 3,
  });
});
