import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const read = (path: string) =>
  readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

test('the chart and Compose start Valkey with the eviction policy that the documentation requires: no count is dropped', async () => {
  const documented = /maxmemory-policy (\w+)/.exec(
    await read('docs/self-hosting/storage.mdx'),
  )?.[1];
  expect(documented).toBe('noeviction');
  for (const path of ['docker-compose.yml', 'deploy/helm/docent/templates/valkey.yaml'])
    expect([path, /--maxmemory-policy, ([\w-]+)/.exec(await read(path))?.[1]]).toEqual([
      path,
      documented,
    ]);
});
