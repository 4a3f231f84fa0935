import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config.ts';
import { isSent } from '../support/replay-dockerfile.ts';
import { root } from '../support/start-docent.ts';

interface Service {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  profiles?: string[];
  volumes?: string[];
  ports?: string[];
  depends_on?: Record<string, unknown>;
  [field: string]: unknown;
}

const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
const { services, volumes } = parse(text, { merge: true }) as { services: Record<string, Service>; volumes: object };
const own = Object.entries(services).filter(([, { image }]) => image.startsWith('docent:'));

/** What the variables of the file come to where only the password is set. */
const filledIn = (value: string) =>
  value.replaceAll(/\$\{(\w+):-([^}]*)\}/g, (_, name: string, preset: string) =>
    name === 'DOCENT_DATABASE_PASSWORD' ? 'x' : preset,
  );

it('compose starts one process without a word, and the others of a platform only when they are named', () => {
  expect(Object.keys(services).filter((name) => services[name]?.profiles === undefined)).toEqual(['docent']);
  expect(own.map(([name]) => name)).toEqual(['docent', 'web', 'worker', 'migrate']);
});

it('compose gives each process settings that it takes, and no container more than it needs', () => {
  for (const [name, service] of own) {
    const env = Object.fromEntries(Object.entries(service.environment ?? {}).map(([key, value]) => [key, filledIn(value)]));
    expect(() => loadConfig(env), name).not.toThrow();
    expect(service, name).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service.ports ?? [], name).toEqual((service.ports ?? []).filter((port) => port.startsWith('127.0.0.1:')));
  }
});

it('compose names volumes and services that there are, and pins what it fetches', () => {
  for (const [name, service] of Object.entries(services)) {
    for (const volume of service.volumes ?? []) expect(Object.keys(volumes), name).toContain(volume.split(':')[0]);
    for (const other of Object.keys(service.depends_on ?? {})) expect(Object.keys(services), name).toContain(other);
    expect(service.image, name).toMatch(/:\d+\.\d+(?:\.\d+)?(?:-\w+)?$/);
  }
  const version = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
  expect(own.map(([, { image }]) => image)).toEqual(own.map(() => `docent:${version}`));
  const chart = parse(readFileSync(join(root, 'deploy/helm/docent/Chart.yaml'), 'utf8')) as { appVersion: string };
  expect(chart.appVersion).toBe(version);
});

it('the image is of the pinned Node.js that the project fetches, and nobody is root in it', () => {
  const pinned = /PINNED_NODE = '([\d.]+)'/.exec(readFileSync(join(root, 'scripts/toolchain.mjs'), 'utf8'))?.[1];
  expect(dockerfile).toContain(`ARG NODE_IMAGE=node:${pinned}-`);
  expect(/^USER (.+)$/gm.exec(dockerfile.slice(dockerfile.lastIndexOf('FROM')))?.[1]).toBe('1000:1000');
});

it('nothing private is sent to the builder of the image', () => {
  for (const path of [
    '.git/config',
    '.env',
    'data/link-secret',
    'node_modules/x/index.js',
    'dist/theme/site.css',
    'test/x.ts',
    'src/config.test.ts',
  ])
    expect(isSent(path), path).toBe(false);
  for (const path of ['src/main.ts', 'package-lock.json', 'docs/docs.json', 'deploy/docker/docent'])
    expect(isSent(path), path).toBe(true);
});
