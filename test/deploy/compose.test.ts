import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, settings } from '@docent/server/kernel/config/config.ts';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { isSent } from '../support/replay-dockerfile.ts';
import { root } from '../support/start-docent.ts';

interface Service {
  image: string;
  command?: string[];
  /** A value that is absent is that of the environment. */
  environment?: Record<string, string | null>;
  profiles?: string[];
  volumes?: string[];
  ports?: string[];
  depends_on?: Record<string, unknown>;
  [field: string]: unknown;
}

const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
const { services, volumes } = parse(text, { merge: true }) as {
  services: Record<string, Service>;
  volumes: object;
};
const own = Object.entries(services).filter(([, { image }]) => image.startsWith('docent:'));

/** Replaces the variables of the file as if only the password was set. */
const filledIn = (value: string) =>
  value.replaceAll(/\$\{(\w+):-([^}]*)\}/g, (_, name: string, preset: string) =>
    name === 'DOCENT_DATABASE_PASSWORD' ? 'x' : preset,
  );

it('compose starts one process by default, and the others only with a profile', () => {
  expect(Object.keys(services).filter((name) => services[name]?.profiles === undefined)).toEqual([
    'docent',
  ]);
  expect(own.map(([name]) => name)).toEqual(['docent', 'web', 'worker', 'migrate']);
});

it('compose configures each process with valid settings, minimal privileges and only local ports', () => {
  for (const [name, service] of own) {
    const env = Object.fromEntries(
      Object.entries(service.environment ?? {}).flatMap(([key, value]) =>
        value === null ? [] : [[key, filledIn(value)]],
      ),
    );
    expect(() => loadConfig(env), name).not.toThrow();
    expect(service, name).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(service.ports ?? [], name).toEqual(
      (service.ports ?? []).filter((port) => port.startsWith('127.0.0.1:')),
    );
  }
});

it('compose passes every setting to each process, except those that the image sets', () => {
  const ofImage = new Set([...dockerfile.matchAll(/(DOCENT_\w+)=/g)].map(([, name]) => name));
  const expected = settings.flatMap(({ name }) => (ofImage.has(name) ? [] : [name])).sort();
  for (const [name, { environment = {} }] of own)
    expect(Object.keys(environment).sort(), name).toEqual(expected);
});

it('compose refers to existing volumes and services, and pins the version of every image', () => {
  for (const [name, service] of Object.entries(services)) {
    for (const volume of service.volumes ?? [])
      expect(Object.keys(volumes), name).toContain(volume.split(':')[0]);
    for (const other of Object.keys(service.depends_on ?? {}))
      expect(Object.keys(services), name).toContain(other);
    expect(service.image, name).toMatch(/:\d+\.\d+(?:\.\d+)?(?:-\w+)?$/);
  }
  const version = (
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  ).version;
  expect(own.map(([, { image }]) => image)).toEqual(own.map(() => `docent:${version}`));
  const chart = parse(readFileSync(join(root, 'deploy/helm/docent/Chart.yaml'), 'utf8')) as {
    appVersion: string;
  };
  expect(chart.appVersion).toBe(version);
});

it('the image uses the pinned version of Node.js and does not run as root', () => {
  const pinned = /PINNED_NODE = '([\d.]+)'/.exec(
    readFileSync(join(root, 'scripts/toolchain.mjs'), 'utf8'),
  )?.[1];
  expect(dockerfile).toContain(`ARG NODE_IMAGE=node:${pinned}-`);
  expect(/^USER (.+)$/gm.exec(dockerfile.slice(dockerfile.lastIndexOf('FROM')))?.[1]).toBe(
    '1000:1000',
  );
});

it('the image has Git, for sites from repositories, and nothing that builds software', () => {
  const last = dockerfile.slice(dockerfile.lastIndexOf('FROM'));
  const installed = [...last.matchAll(/apt-get install ((?:-\S+ )*)([\w. -]+?) &&/g)].flatMap(
    ([, , names = '']) => names.split(' '),
  );
  expect(installed).toEqual(['git', 'openssh-client', 'ca-certificates']);
});

it('the build context of the image contains its sources and no private files', () => {
  for (const path of [
    '.git/config',
    '.env',
    'data/link-secret',
    'node_modules/x/index.js',
    'dist/theme/site.css',
    'test/x.ts',
    'packages/server/src/kernel/config/config.test.ts',
  ])
    expect(isSent(path), path).toBe(false);
  for (const path of [
    'packages/docent/src/main.ts',
    'package-lock.json',
    'docs/docs.json',
    'deploy/docker/docent',
  ])
    expect(isSent(path), path).toBe(true);
});
