import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadBundleConfig } from './bundle-config.ts';

const fault = (env: Record<string, string>) => {
  try {
    loadBundleConfig(env);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the configuration of a bundle server', () => {
  it('requires only a bundle, and the command overrides the environment', () => {
    const config = loadBundleConfig(
      { DOCENT_BUNDLE_URL: 'a.tar.gz', DOCENT_PORT: '1' },
      { DOCENT_PORT: '2', DOCENT_HOST: undefined },
    );
    expect(config).toMatchObject({
      port: 2,
      host: '127.0.0.1',
      pollSeconds: 0,
      basePath: '',
      hasAssistant: false,
    });
    expect(config.source()).toEqual({
      location: 'a.tar.gz',
      version: undefined,
      sha256: undefined,
    });
  });

  it('rereads its settings file for each request of the bundle', () => {
    const folder = mkdtempSync(join(tmpdir(), 'docent-config-'));
    const file = join(folder, 'bundle.env');
    writeFileSync(file, 'DOCENT_BUNDLE_URL="https://example.com/a?x=1"\n');
    const { source } = loadBundleConfig({
      DOCENT_BUNDLE_CONFIG: file,
      DOCENT_BUNDLE_URL: 'b.tar.gz',
    });
    expect(source().location).toBe('https://example.com/a?x=1');
    writeFileSync(file, 'DOCENT_BUNDLE_VERSION=v2\n');
    expect(source()).toMatchObject({ location: 'b.tar.gz', version: 'v2' });
    rmSync(folder, { recursive: true });
    expect(source).toThrow('cannot be read (ENOENT)');
  });

  it.each([
    ['docs', '/docs'],
    ['/a/b/', '/a/b'],
    ['/', ''],
  ])('normalizes the base path %s to "%s"', (value, normalized) => {
    expect(loadBundleConfig({ DOCENT_BUNDLE_URL: 'a', DOCENT_BASE_PATH: value }).basePath).toBe(
      normalized,
    );
  });

  it.each([
    [{}, 'DOCENT_BUNDLE_URL'],
    [{ DOCENT_BUNDLE_URL: 's3://bucket/a' }, 'http and https'],
    [{ DOCENT_BUNDLE_URL: 'a', DOCENT_BUNDLE_SHA256: 'abc' }, '64 hexadecimal digits'],
    [{ DOCENT_BUNDLE_URL: 'a', DOCENT_BASE_PATH: '/a/../b' }, 'DOCENT_BASE_PATH'],
    [{ DOCENT_BUNDLE_URL: 'a', DOCENT_BUNDLE_POLL: '5' }, 'did you mean'],
  ])('rejects %j', (env, reason) => {
    expect(fault(env as Record<string, string>)).toContain(reason);
  });
});
