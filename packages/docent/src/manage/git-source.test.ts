import { expect, test } from 'vitest';
import { type ApiClient, clientOf } from '../kernel/api-client.ts';
import { createOutput } from '../kernel/output.ts';
import { createProgram } from '../program.ts';
import { approvePull, sourceAt } from './git-source.ts';

test('the token of a Git source is read from standard input, and is no option', () => {
  const git = createProgram({}, () => {}).commands.find((command) => command.name() === 'git');
  const names = git?.commands.map((command) => command.name());
  expect(names).toEqual([
    'show',
    'connect',
    'change',
    'check',
    'deploy',
    'resume',
    'webhook',
    'deliveries',
    'pulls',
    'approve',
    'disconnect',
  ]);
  const options = git?.commands.flatMap((command) => command.options.map(({ flags }) => flags));
  expect(options).toContain('--token-stdin');
  expect(options?.filter((flags) => /--token\b(?!-)/.test(flags))).toEqual([]);
});

test('only the commit that somebody looked at is approved, not one that was pushed since', async () => {
  const approved: unknown[] = [];
  const pull = { number: 12, sha: '8d3f0b1c5e7a9d2f4b6c8e0a1d3f5b7c9e1a2b4d' };
  const api = clientOf((async (method: string, _path: string, body?: unknown): Promise<unknown> => {
    if (method === 'POST') approved.push(body);
    return method === 'POST' ? pull : { items: [pull] };
  }) as ApiClient['request']);
  const approve = (sha: string) =>
    approvePull(api, createOutput({ json: true }), '#12', sha, { site: 'acme' });
  await expect(approve('1111111')).rejects.toMatchObject({ code: 'precondition_failed' });
  await expect(approve('8d')).rejects.toMatchObject({ code: 'invalid_setting' });
  expect(approved).toEqual([]);
  await approve('8D3F0B1');
  expect(approved).toEqual([{ sha: pull.sha }]);
});

test('--path names one of several sources; without it, the base is meant', () => {
  const sources = [
    { path: '', isBase: true },
    { path: 'sdks/python', isBase: false },
  ];
  expect(sourceAt(sources, { site: 'acme' })).toBe(sources[0]);
  expect(sourceAt(sources, { site: 'acme', path: '/sdks/python/' })).toBe(sources[1]);
  const other = () => sourceAt(sources, { site: 'acme', path: 'api' });
  expect(other).toThrow('acme has no source at /api; its paths are: sdks/python.');
  const placed = [{ path: 'docs', isBase: true }, ...sources.slice(1)];
  expect(sourceAt(placed, { site: 'acme' })).toBe(placed[0]);
  expect(sourceAt(placed, { site: 'acme', path: 'docs' })).toBe(placed[0]);
  expect(() => sourceAt([], { site: 'acme' })).toThrow('not connected with a Git repository');
});
