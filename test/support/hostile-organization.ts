import { randomBytes } from 'node:crypto';
import { formatKey, maskKey } from '@docent/format/access/keys.ts';
import pg from 'pg';
import { createUlid, hashSecret } from '../../packages/server/src/kernel/ids.ts';
import { rawTarGz } from './raw-tar.ts';

const config = JSON.stringify({ name: 'Site', theme: 'mint', navigation: { pages: ['index'] } });
export const page = (body: string) => ({
  name: 'index.mdx',
  content: `---\ntitle: Home\n---\n\n${body}\n`,
});
export const site = (...files: { name: string; content: string }[]) =>
  rawTarGz([{ name: 'docs.json', content: config }, ...files]) as Uint8Array<ArrayBuffer>;
const operations = Array.from(
  { length: 40_000 },
  (_, index) => `"/p${index}":{"get":{"responses":{"200":{"description":"ok"}}}}`,
);

/** Sites of an organization that tries to use up the server, by resource. */
export const HOSTILE_SITES = {
  'a style sheet of spaces': site(page('# Hi'), {
    name: 'style.css',
    content: `a { background: url(${' '.repeat(2_000_000)}`,
  }),
  'endlessly nested lists': site(page('1. '.repeat(150_000))),
  'an API of 40,000 operations': site(
    {
      name: 'docs.json',
      content: JSON.stringify({ ...JSON.parse(config), navigation: { openapi: 'openapi.json' } }),
    },
    page('x'),
    {
      name: 'openapi.json',
      content: `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{${operations.join(',')}}}`,
    },
  ),
  'endlessly nested tags': site(page(`${'<b>'.repeat(20_000)}x`)),
  'texts that an expression repeats': site(page('{"a".repeat(1e9)}\n\n'.repeat(200))),
  'a list that an expression doubles': site(
    page('{[...Array(60)].reduce((all) => [...all, ...all], ["x"])}\n\n'.repeat(50)),
  ),
  'memory that a component takes': site(
    page("import { Eater } from '/snippets/eater.jsx'\n\n<Eater />"),
    {
      name: 'snippets/eater.jsx',
      content:
        "import { useState } from 'react';\nexport const Eater = () => { const [held] = useState(() => { const all = []; for (;;) all.push(new Array(1e6).fill(all.length)); }); return <p>{held}</p>; };",
    },
  ),
  'a long list of expressions': site(page(`{${'a,'.repeat(200_000)}a}`)),
  'a hundred lists of expressions, each within the limits': site(
    page(`{${'a,'.repeat(4900)}a}\n\n`.repeat(100)),
  ),
  'one line of a hundred thousand expressions': site(page('{1} '.repeat(100_000))),
};

/**
 * Adds another organization with its own key, as its creator would have.
 * @param createdByUser id of the person who is accountable for it; by default it is itself
 */
export async function addHostileOrganization(
  address: string,
  { slug = 'hostile', createdByUser = null }: { slug?: string; createdByUser?: string | null } = {},
): Promise<string> {
  const key = formatKey('admin', randomBytes(24));
  const client = new pg.Client(address);
  await client.connect();
  try {
    await client.query(
      'INSERT INTO organizations (id, slug, name, created_by_user) VALUES ($1, $1, $1, $2)',
      [slug, createdByUser],
    );
    await client.query(
      `INSERT INTO api_keys (id, organization_id, kind, name, hash, masked, scopes) VALUES ($1, $2, 'admin', 'k', $3, $4, '{read,write}')`,
      [createUlid(new Date()), slug, hashSecret(key), maskKey(key)],
    );
  } finally {
    await client.end();
  }
  return key;
}
