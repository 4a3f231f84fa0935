import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithUs } from './end-with-us.ts';
import { type RawEntry, rawTarGz } from './raw-tar.ts';
import { runDocent, temporaryFolder } from './start-docent.ts';

export const sha256Of = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');

/** An archive with its path and its hash. */
export interface TestBundle {
  file: string;
  bytes: Buffer<ArrayBuffer>;
  sha256: string;
}

/** Exports a small site with `docent export`. */
export async function exportBundle(
  text: string,
  more: { from?: string; args?: string[]; folder?: string } = {},
): Promise<TestBundle> {
  const folder = more.folder ?? (await temporaryFolder());
  const source = join(folder, 'site');
  mkdirSync(join(source, 'guides'), { recursive: true });
  if (more.from) cpSync(more.from, source, { recursive: true });
  else {
    const config = {
      theme: 'mint',
      name: 'Acme',
      colors: { primary: '#123456' },
      navigation: { pages: ['index', 'guides/start', 'guides/next'] },
      redirects: [
        { source: '/old', destination: '/guides/start' },
        { source: '/was/:rest*', destination: '/guides/:rest*', permanent: false },
        { source: '/away', destination: 'https://example.org/x' },
      ],
    };
    writeFileSync(join(source, 'docs.json'), JSON.stringify(config));
    writeFileSync(join(source, 'index.mdx'), `---\ntitle: Home\n---\n\nWelcome. ${text}\n`);
    writeFileSync(
      join(source, 'guides/start.mdx'),
      `---\ntitle: Start\n---\n\n## Install\n\n${text} Run \`acme install\` to install Acme.\n`,
    );
    writeFileSync(
      join(source, 'guides/next.mdx'),
      `---\ntitle: Next\n---\n\n## Rotate keys\n\nKeys are rotated with \`acme rotate\`. ${text}\n`,
    );
    writeFileSync(join(source, 'video.mp4'), Buffer.alloc(600_000, text));
    writeFileSync(
      join(source, 'logo.svg'),
      `<svg xmlns="http://www.w3.org/2000/svg"><title>${text}</title></svg>`,
    );
  }
  const file = join(folder, 'bundle.tar.gz');
  const { code, stderr } = await runDocent(['export', source, '--out', file, ...(more.args ?? [])]);
  if (code !== 0) throw new Error(stderr);
  const bytes = Buffer.from(readFileSync(file));
  return { file, bytes, sha256: sha256Of(bytes) };
}

const shared = new Map<string, Promise<TestBundle>>();

/**
 * Returns an edition of a small site, whose pages say which. The files of a worker share it, and
 * only read it.
 */
export function sharedBundle(edition: 'first' | 'second'): Promise<TestBundle> {
  const bundle = shared.get(edition) ?? exportEdition(edition);
  shared.set(edition, bundle);
  return bundle;
}

async function exportEdition(edition: string): Promise<TestBundle> {
  // Not a temporary folder that a test file removes.
  const folder = await mkdtemp(join(tmpdir(), 'docent-bundle-'));
  endWithUs(folder, []);
  return exportBundle(`The ${edition} edition.`, { folder });
}

/** Builds a bundle by hand, which may contain what no export would. */
export function madeBundle(
  files: Record<string, string | Uint8Array>,
  more: { entries?: RawEntry[]; manifest?: object } = {},
): Buffer<ArrayBuffer> {
  const listed = Object.entries(files).map(([path, content]) => ({
    path,
    sizeBytes: Buffer.byteLength(content),
    sha256: sha256Of(content),
  }));
  const manifest = {
    schemaVersion: 1,
    exportVersion: sha256Of(JSON.stringify(listed)).slice(0, 32),
    createdAt: '2026-01-01T00:00:00.000Z',
    name: 'Made',
    origin: '',
    options: { basePath: '', omittedLinks: 'live' },
    redirects: [],
    defaults: {},
    pages: [],
    files: listed,
    ...more.manifest,
  };
  const entries: RawEntry[] = Object.entries(files).map(([name, content]) => ({ name, content }));
  return Buffer.from(
    rawTarGz([
      ...entries,
      ...(more.entries ?? []),
      { name: 'manifest.json', content: JSON.stringify(manifest) },
    ]),
  );
}
