import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import type { DocentError } from '@docent/format/errors.ts';
import { describe, expect, it } from 'vitest';
import { describeConfig, loadConfig, settings } from './config.ts';
import { buildMemoryMb } from './publish-settings.ts';

function faults(env: Record<string, string>): string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    return ((error as DocentError).errors ?? []).map(({ message }) => message);
  }
}

describe('the configuration', () => {
  it('needs no settings and listens on localhost by default', () => {
    expect(loadConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      bundleLinkSeconds: 86_400,
      trustedProxies: { kind: 'none' },
      limits: {
        assistantPerOrganizationHour: 10_000,
        assistantPerIpDay: 10_000,
        keysPerOrganizationHour: 10,
      },
      model: { kind: 'extractive' },
    });
  });

  it('gives each build what the server leaves of the memory, so that all concurrent builds fit', () => {
    const given = [512, 1024, 2048, 4096, 8192, 65_536].map((memoryMb) =>
      buildMemoryMb(memoryMb, 2),
    );
    expect(given).toEqual([256, 256, 768, 1536, 3072, 4096]);
    expect(buildMemoryMb(2048, 1)).toBe(1536);
    expect(loadConfig({ DOCENT_BUILD_MEMORY_MB: '9000' }).publishing.budget.memoryMb).toBe(9000);
    const { budget, perProcess } = loadConfig({}).publishing;
    expect(budget.memoryMb).toBeLessThanOrEqual(buildMemoryMb(totalmem() / 2 ** 20, perProcess));
  });

  it('gives a build a second thread only where its memory has room for it, unless a number is set', () => {
    const threads = (settings: Record<string, string>) => loadConfig(settings).publishing.threads;
    expect(threads({ DOCENT_BUILD_MEMORY_MB: '1535' })).toBe(1);
    expect(threads({ DOCENT_BUILD_MEMORY_MB: '1536' })).toBe(2);
    expect(threads({ DOCENT_BUILD_MEMORY_MB: '768', DOCENT_BUILD_THREADS: '3' })).toBe(3);
  });

  it('reads the value of any setting from a file, without its final line break', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docent-config-'));
    const file = join(folder, 'token');
    await writeFile(file, 'a-secret-token-of-a-file\n');
    expect(loadConfig({ DOCENT_METRICS_TOKEN_FILE: file }).metricsToken).toBe(
      'a-secret-token-of-a-file',
    );
    expect(faults({ DOCENT_METRICS_TOKEN_FILE: file, DOCENT_METRICS_TOKEN: 'other' })[0]).toContain(
      'set one of the two',
    );
    expect(faults({ DOCENT_METRICS_TOKEN_FILE: join(folder, 'gone') })[0]).toMatch(
      /^DOCENT_METRICS_TOKEN_FILE: the file .* cannot be read/,
    );
    expect(faults({ DOCENT_NO_SUCH_FILE: file })[0]).toContain('there is no such setting');
    await writeFile(file, 'x'.repeat(70_000));
    expect(faults({ DOCENT_METRICS_TOKEN_FILE: file })[0]).toContain('at most 65536');
    await rm(folder, { recursive: true });
  });

  it('treats an empty value as unset and ignores variables of other programs', () => {
    expect(loadConfig({ DOCENT_PORT: '', PATH: '/bin', DOCENT_API_KEY: 'svc_x' }).port).toBe(3000);
  });

  it('derives the default public URL from the port', () => {
    expect(loadConfig({ DOCENT_PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
    expect(loadConfig({ DOCENT_PUBLIC_URL: 'https://docs.example.com/' }).publicUrl).toBe(
      'https://docs.example.com',
    );
  });

  it('refuses a base path and a public URL below a path, and names the setting of a site that stands in their place', () => {
    const base = faults({ DOCENT_BASE_PATH: '/docs' });
    expect(base).toEqual([
      expect.stringMatching(
        /^DOCENT_BASE_PATH: only docent serve-bundle has a base path.*--public-url/,
      ),
    ]);
    const below = faults({ DOCENT_PUBLIC_URL: 'https://acme.example/docs' });
    expect(below).toEqual([
      expect.stringMatching(/^DOCENT_PUBLIC_URL: .*use https:\/\/acme\.example, .*--public-url/),
    ]);
  });

  it('reports all errors together with setting, expected value, actual value, and default', () => {
    const messages = faults({
      DOCENT_PORT: '70000',
      DOCENT_BUNDLE_LINK_SECONDS: '60',
      DOCENT_LOG_LEVEL: 'loud',
    });
    expect(messages).toHaveLength(3);
    expect(messages[0]).toBe(
      'DOCENT_PORT: expected a port, 0 to 65535, got "70000"; correct it, or remove it for the default 3000.',
    );
    expect(messages[2]).toContain(
      'DOCENT_BUNDLE_LINK_SECONDS: expected a whole number of seconds, 900 to 604800, got "60"',
    );
  });

  it('rejects an unknown name and suggests the most similar setting', () => {
    expect(faults({ DOCENT_PROT: '1' })).toEqual([
      'DOCENT_PROT: there is no such setting; did you mean DOCENT_PORT?',
    ]);
    expect(faults({ DOCENT_PORT: 'x', DOCENT_DATAA: 'x' })).toHaveLength(2);
  });

  it.each([
    ['DOCENT_PUBLIC_URL', 'docs.example.com'],
    ['DOCENT_PUBLIC_URL', 'ftp://docs.example.com'],
    ['DOCENT_PUBLIC_URL', 'https://user:secret@docs.example.com'],
    ['DOCENT_TRUSTED_PROXIES', '10.0.0.0/8, nonsense'],
    ['DOCENT_TRUSTED_PROXIES', '0.0.0.0/0'],
    ['DOCENT_PORT', '-1'],
    ['DOCENT_PORT', '1e3'],
    ['DOCENT_DATABASE', 'mysql'],
  ])('rejects %s=%s', (name, value) => {
    expect(faults({ [name]: value })).toEqual([expect.stringContaining(name)]);
  });

  it('reads trusted proxies as a number of hops or as ranges', () => {
    expect(loadConfig({ DOCENT_TRUSTED_PROXIES: '2' }).trustedProxies).toEqual({
      kind: 'count',
      count: 2,
    });
    expect(loadConfig({ DOCENT_TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).trustedProxies).toMatchObject({
      kind: 'ranges',
      ranges: [{}, {}],
    });
  });

  it('documents every setting with a valid default', () => {
    expect(settings.length).toBeGreaterThan(10);
    const defaults = settings.filter((setting) => !setting.default.includes('<'));
    expect(
      loadConfig(Object.fromEntries(defaults.map((setting) => [setting.name, setting.default]))),
    ).toEqual(loadConfig({}));
  });

  it.each([
    [
      'openai-compatible:qwen3:8b',
      { DOCENT_MODEL_URL: 'http://localhost:11434/v1' },
      { model: 'qwen3:8b' },
    ],
    ['anthropic:claude-x', { DOCENT_MODEL_API_KEY: 'k' }, { provider: 'anthropic', apiKey: 'k' }],
    [
      'bedrock:some.model-v1:0',
      { DOCENT_MODEL_REGION: 'eu-central-1' },
      { model: 'some.model-v1:0', region: 'eu-central-1' },
    ],
  ])('accepts the model %s with its settings', (model, more, expected) => {
    expect(loadConfig({ DOCENT_MODEL: model, ...more }).model).toMatchObject({
      kind: 'language-model',
      ...expected,
    });
  });

  it.each([
    ['openai-compatible:qwen3', 'DOCENT_MODEL_URL'],
    ['openai:gpt-x', 'DOCENT_MODEL_API_KEY'],
    ['bedrock:x', 'DOCENT_MODEL_REGION'],
    ['nobody:x', 'DOCENT_MODEL'],
    ['openai:', 'DOCENT_MODEL'],
  ])('rejects the model %s with an error about %s', (model, name) => {
    expect(faults({ DOCENT_MODEL: model })).toEqual([expect.stringContaining(`${name}: `)]);
  });

  it.each([
    [{ DOCENT_DATABASE: 'postgres' }, 'DOCENT_DATABASE_URL'],
    [{ DOCENT_DATABASE_URL: 'postgres://u:hidden@db/docent' }, 'DOCENT_DATABASE'],
    [{ DOCENT_CLICKHOUSE_URL: 'http://u:hidden@events:8123/docent' }, 'DOCENT_DATABASE'],
    [
      { DOCENT_DATABASE: 'postgres', DOCENT_DATABASE_URL: 'mysql://u:hidden@db/docent' },
      'DOCENT_DATABASE_URL',
    ],
    [{ DOCENT_LIMITER: 'postgres' }, 'DOCENT_LIMITER'],
  ])(
    'rejects incomplete database settings %j with an error about %s that hides passwords',
    (env, name) => {
      expect(faults(env)).toEqual([expect.stringContaining(`${name}: `)]);
      expect(faults(env).join()).not.toContain('hidden');
    },
  );

  it('accepts a PostgreSQL server for data and limits and never shows its URL', () => {
    const urlWithPassword = 'postgres://docent:hidden@db.example:5432/docent';
    const config = loadConfig({
      DOCENT_DATABASE: 'postgres',
      DOCENT_DATABASE_URL: urlWithPassword,
      DOCENT_LIMITER: 'postgres',
    });
    expect([config.database, config.limiter]).toEqual([
      { kind: 'postgres', urlWithPassword },
      { kind: 'postgres' },
    ]);
    expect(Object.values(describeConfig(config)).join()).not.toContain('hidden');
  });

  const s3 = { DOCENT_BLOBS: 's3', DOCENT_S3_BUCKET: 'docs', DOCENT_SECRET: 'x'.repeat(32) };

  it.each([
    [{ ...s3, DOCENT_S3_BUCKET: '' }, 'DOCENT_S3_BUCKET'],
    [{ ...s3, DOCENT_SECRET: '' }, 'DOCENT_SECRET'],
    [{ ...s3, DOCENT_SECRET: 'hidden-short' }, 'DOCENT_SECRET'],
    [{ ...s3, DOCENT_S3_ACCESS_KEY_ID: 'a' }, 'DOCENT_S3_SECRET_ACCESS_KEY'],
    [{ ...s3, DOCENT_S3_SECRET_ACCESS_KEY: 'hidden' }, 'DOCENT_S3_ACCESS_KEY_ID'],
    [{ ...s3, DOCENT_S3_ENDPOINT: 'minio:9000' }, 'DOCENT_S3_ENDPOINT'],
    [{ ...s3, DOCENT_S3_PREFIX: 'a/../b' }, 'DOCENT_S3_PREFIX'],
    [{ ...s3, DOCENT_S3_FORCE_PATH_STYLE: 'yes' }, 'DOCENT_S3_FORCE_PATH_STYLE'],
    [{ ...s3, DOCENT_BLOBS_FOLDER: '/srv' }, 'DOCENT_BLOBS_FOLDER'],
    [{ DOCENT_S3_BUCKET: 'docs' }, 'DOCENT_BLOBS'],
    [{ DOCENT_LIMITER: 'redis' }, 'DOCENT_REDIS_URL'],
    [{ DOCENT_REDIS_URL: 'redis://:hidden@host:6379' }, 'DOCENT_LIMITER'],
    [{ DOCENT_LIMITER: 'redis', DOCENT_REDIS_URL: 'http://:hidden@host' }, 'DOCENT_REDIS_URL'],
  ])(
    'rejects incomplete storage or limiter settings %j with an error about %s that hides secrets',
    (env, name) => {
      expect(faults(env)).toEqual([expect.stringContaining(`${name}: `)]);
      expect(faults(env).join()).not.toContain('hidden');
    },
  );

  it('accepts a bucket, with path-style URLs for a custom endpoint and a trailing slash on the prefix', () => {
    const cache = { bytes: 1024 * 1024 * 1024, folder: 'data/file-cache' };
    expect(loadConfig(s3).blobs).toEqual({
      kind: 's3',
      bucket: 'docs',
      prefix: '',
      forcePathStyle: false,
      cache,
    });
    const more = {
      DOCENT_S3_ENDPOINT: 'http://minio:9000/',
      DOCENT_S3_PREFIX: '/docs/one',
      DOCENT_S3_REGION: 'eu-central-1',
    };
    expect(loadConfig({ ...s3, ...more }).blobs).toEqual({
      kind: 's3',
      bucket: 'docs',
      prefix: 'docs/one/',
      endpoint: 'http://minio:9000',
      region: 'eu-central-1',
      forcePathStyle: true,
      cache,
    });
  });

  it('stores the secret next to the files if none is set', () => {
    expect(loadConfig({ DOCENT_DATA: '/srv/docent' }).secret).toEqual({
      kind: 'file',
      file: '/srv/docent/link-secret',
    });
    expect(loadConfig({ DOCENT_BLOBS_FOLDER: '/mnt/shared/blobs' }).secret).toEqual({
      kind: 'file',
      file: '/mnt/shared/link-secret',
    });
  });

  it('never shows a secret: of a bucket, a limiter, the links, or a model', () => {
    const keys = { DOCENT_S3_ACCESS_KEY_ID: 'AKID', DOCENT_S3_SECRET_ACCESS_KEY: 'hidden-1' };
    const redis = { DOCENT_LIMITER: 'redis', DOCENT_REDIS_URL: 'rediss://:hidden-2@host:6379/1' };
    const models = {
      DOCENT_MODEL: 'openai:m',
      DOCENT_MODEL_API_KEY: 'hidden-4',
      DOCENT_EMBEDDINGS: 'openai:e',
      DOCENT_EMBEDDINGS_API_KEY: 'hidden-5',
      DOCENT_RERANKER: 'openai-compatible:r',
      DOCENT_RERANKER_URL: 'http://two/v1',
      DOCENT_RERANKER_API_KEY: 'hidden-6',
    };
    const config = loadConfig({
      ...s3,
      ...keys,
      ...redis,
      ...models,
      DOCENT_SECRET: 'hidden-3'.repeat(4),
    });
    expect(new Set(JSON.stringify(config).match(/hidden-\d/g))).toHaveLength(6);
    const described = describeConfig(config);
    expect(JSON.stringify(described)).not.toContain('hidden');
    expect(described).toMatchObject({
      'blobs.credentials.secretAccessKey': '***',
      'embeddings.apiKey': '***',
      port: '3000',
    });
  });

  it.each<[Record<string, string>, object]>([
    [
      {
        DOCENT_EMBEDDINGS: 'openai-compatible:nomic-embed-text:v1.5',
        DOCENT_EMBEDDINGS_URL: 'http://localhost:11434/v1/',
      },
      {
        provider: 'openai-compatible',
        model: 'nomic-embed-text:v1.5',
        url: 'http://localhost:11434/v1',
        timeoutMs: 800,
      },
    ],
    [
      {
        DOCENT_EMBEDDINGS: 'openai:e',
        DOCENT_MODEL: 'openai:m',
        DOCENT_MODEL_API_KEY: 'k',
        DOCENT_EMBEDDINGS_DIMENSIONS: '384',
      },
      { provider: 'openai', apiKey: 'k', dimensions: 384 },
    ],
  ])('reads an embedding model from %o', (env, embeddings) => {
    expect(loadConfig(env).embeddings).toMatchObject({ kind: 'on', ...embeddings });
  });

  it('reuses URL and key of the language model for other models of the same provider only', () => {
    const model = {
      DOCENT_MODEL: 'openai-compatible:m',
      DOCENT_MODEL_URL: 'http://one/v1',
      DOCENT_MODEL_API_KEY: 'k',
    };
    const shared = loadConfig({
      ...model,
      DOCENT_EMBEDDINGS: 'openai-compatible:e',
      DOCENT_RERANKER: 'openai-compatible:r',
    });
    expect(shared).toMatchObject({
      embeddings: { url: 'http://one/v1', apiKey: 'k' },
      reranker: { url: 'http://one/v1', apiKey: 'k' },
    });
    expect(faults({ ...model, DOCENT_EMBEDDINGS: 'openai:e' })).toEqual([
      expect.stringContaining('DOCENT_EMBEDDINGS_API_KEY'),
    ]);
  });

  it('sends the key of the language model to no other URL', () => {
    const model = {
      DOCENT_MODEL: 'openai-compatible:m',
      DOCENT_MODEL_URL: 'http://one/v1',
      DOCENT_MODEL_API_KEY: 'k',
    };
    const { reranker } = loadConfig({
      ...model,
      DOCENT_RERANKER: 'openai-compatible:r',
      DOCENT_RERANKER_URL: 'http://two/v1',
    });
    expect(reranker).toMatchObject({ url: 'http://two/v1', apiKey: undefined });
  });

  it.each([
    [{ DOCENT_EMBEDDINGS: 'builtin' }, 'DOCENT_EMBEDDINGS: expected off, or a provider'],
    [{ DOCENT_EMBEDDINGS: 'anthropic:x' }, 'DOCENT_EMBEDDINGS: expected off, or a provider'],
    [{ DOCENT_EMBEDDINGS: 'openai-compatible:x' }, 'DOCENT_EMBEDDINGS_URL'],
    [{ DOCENT_RERANKER: 'openai:x' }, 'DOCENT_RERANKER: expected off'],
    [{ DOCENT_RERANKER: 'bedrock:x' }, 'DOCENT_MODEL_REGION'],
  ])('rejects %o', (env, message) => {
    expect(faults(env)).toEqual([expect.stringContaining(message)]);
  });
});
