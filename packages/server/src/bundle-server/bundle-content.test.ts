import { join } from 'node:path';
import { afterAll } from 'vitest';
import { exportBundle } from '../../../../test/support/exported-bundle.ts';
import { removeTemporaryFolders, temporaryFolder } from '../../../../test/support/start-docent.ts';
import { siteContentContract, writeContractSite } from '../ports/site-content.contract.ts';
import { bundleContent } from './bundle-content.ts';
import { BundleStore } from './bundle-store.ts';
import { unpackBundle } from './unpack-bundle.ts';

afterAll(removeTemporaryFolders);

let opened: ReturnType<typeof open> | undefined;

async function open() {
  const from = await temporaryFolder();
  writeContractSite(from);
  const { file, sha256 } = await exportBundle('', { from });
  const store = new BundleStore(join(await temporaryFolder(), 'cache'));
  await store.open();
  await unpackBundle(file, sha256, {
    store,
    maxBytes: 2 ** 30,
    signal: new AbortController().signal,
    check: () => {},
  });
  const bundle = await store.read(sha256);
  if (!bundle) throw new Error('the bundle is incomplete');
  return bundleContent({ bundle, store, basePath: '' }, undefined);
}

siteContentContract('an unpacked bundle', () => {
  opened ??= open();
  return opened;
});
