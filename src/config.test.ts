import { describe, expect, it } from 'vitest';
import { describeConfig, loadConfig, settings } from './config.ts';
import type { DocentError } from './core/errors.ts';

function faults(env: Record<string, string>): string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    return ((error as DocentError).errors ?? []).map(({ message }) => message);
  }
}

describe('the configuration', () => {
  it('needs no setting at all, and then listens to this machine only', () => {
    expect(loadConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      bundleLinkSeconds: 86_400,
      trustedProxies: { kind: 'none' },
      limits: { assistantPerOrganisationHour: 10_000, assistantPerIpDay: 10_000, keysPerOrganisationHour: 10 },
      model: { kind: 'extractive' },
    });
  });

  it('takes an empty value as not set, and does not look at names that are not its own', () => {
    expect(loadConfig({ DOCENT_PORT: '', PATH: '/bin', DOCENT_API_KEY: 'svc_x' }).port).toBe(3000);
  });

  it('makes the default address of links with the port', () => {
    expect(loadConfig({ DOCENT_PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
    expect(loadConfig({ DOCENT_PUBLIC_URL: 'https://docs.example.com/' }).publicUrl).toBe('https://docs.example.com');
  });

  it('names every fault at once: setting, what is expected, what was got, and the default', () => {
    const messages = faults({ DOCENT_PORT: '70000', DOCENT_BUNDLE_LINK_SECONDS: '60', DOCENT_LOG_LEVEL: 'loud' });
    expect(messages).toHaveLength(3);
    expect(messages[0]).toBe(
      'DOCENT_PORT: expected a port, 0 to 65535, got "70000"; correct it, or remove it for the default 3000.',
    );
    expect(messages[2]).toContain('DOCENT_BUNDLE_LINK_SECONDS: expected a whole number of seconds, 900 to 604800, got "60"');
  });

  it('refuses a name that it does not know, and says which one was meant', () => {
    expect(faults({ DOCENT_PROT: '1' })).toEqual(['DOCENT_PROT: there is no such setting; did you mean DOCENT_PORT?']);
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
  ])('refuses %s=%s', (name, value) => {
    expect(faults({ [name]: value })).toEqual([expect.stringContaining(name)]);
  });

  it('reads trusted proxies as a number of hops or as ranges', () => {
    expect(loadConfig({ DOCENT_TRUSTED_PROXIES: '2' }).trustedProxies).toEqual({ kind: 'count', count: 2 });
    expect(loadConfig({ DOCENT_TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).trustedProxies).toMatchObject({
      kind: 'ranges',
      ranges: [{}, {}],
    });
  });

  it('describes every setting, with a default that is itself a good value', () => {
    expect(settings.length).toBeGreaterThan(10);
    const defaults = settings.filter((setting) => !setting.default.includes('<'));
    expect(loadConfig(Object.fromEntries(defaults.map((setting) => [setting.name, setting.default])))).toEqual(loadConfig({}));
  });

  it.each([
    ['openai-compatible:qwen3:8b', { DOCENT_MODEL_URL: 'http://localhost:11434/v1' }, { model: 'qwen3:8b' }],
    ['anthropic:claude-x', { DOCENT_MODEL_API_KEY: 'k' }, { provider: 'anthropic', apiKey: 'k' }],
    ['bedrock:some.model-v1:0', { DOCENT_MODEL_REGION: 'eu-central-1' }, { model: 'some.model-v1:0', region: 'eu-central-1' }],
  ])('takes the model %s with what it needs', (model, more, expected) => {
    expect(loadConfig({ DOCENT_MODEL: model, ...more }).model).toMatchObject({ kind: 'language-model', ...expected });
  });

  it.each([
    ['openai-compatible:qwen3', 'DOCENT_MODEL_URL'],
    ['openai:gpt-x', 'DOCENT_MODEL_API_KEY'],
    ['bedrock:x', 'DOCENT_MODEL_REGION'],
    ['nobody:x', 'DOCENT_MODEL'],
    ['openai:', 'DOCENT_MODEL'],
  ])('refuses the model %s, naming %s', (model, name) => {
    expect(faults({ DOCENT_MODEL: model })).toEqual([expect.stringContaining(`${name}: `)]);
  });

  it.each([
    [{ DOCENT_DATABASE: 'postgres' }, 'DOCENT_DATABASE_URL'],
    [{ DOCENT_DATABASE_URL: 'postgres://u:hidden@db/docent' }, 'DOCENT_DATABASE'],
    [{ DOCENT_DATABASE: 'postgres', DOCENT_DATABASE_URL: 'mysql://u:hidden@db/docent' }, 'DOCENT_DATABASE_URL'],
    [{ DOCENT_LIMITER: 'postgres' }, 'DOCENT_LIMITER'],
  ])('refuses half a database, %j, naming %s and no password', (env, name) => {
    expect(faults(env)).toEqual([expect.stringContaining(`${name}: `)]);
    expect(faults(env).join()).not.toContain('hidden');
  });

  it('takes a PostgreSQL server for the data and the limits, and never shows its address', () => {
    const urlWithPassword = 'postgres://docent:hidden@db.example:5432/docent';
    const config = loadConfig({ DOCENT_DATABASE: 'postgres', DOCENT_DATABASE_URL: urlWithPassword, DOCENT_LIMITER: 'postgres' });
    expect([config.database, config.limiter]).toEqual([{ kind: 'postgres', urlWithPassword }, { kind: 'postgres' }]);
    expect(Object.values(describeConfig(config)).join()).not.toContain('hidden');
  });

  it('prints no secret', () => {
    expect(Object.values(describeConfig(loadConfig({ DOCENT_MODEL: 'openai:x', DOCENT_MODEL_API_KEY: 'sk-1' })))).not.toContain(
      'sk-1',
    );
    const described = describeConfig({
      ...loadConfig({ DOCENT_TRUSTED_PROXIES: '10.0.0.0/8' }),
      store: { accessKey: 'abc', region: 'x' },
    });
    expect(described['store.accessKey']).toBe('***');
    expect(described['store.region']).toBe('x');
    expect(described.port).toBe('3000');
  });
});
