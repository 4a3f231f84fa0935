import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { gitFactsOf } from './git-facts.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-git-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const git = (...args: string[]) =>
  execFileSync('git', ['-C', folder, ...args], { stdio: 'ignore' });
async function commit(file: string, day: string): Promise<void> {
  await writeFile(join(folder, file), day);
  git('add', '.');
  const date = `${day}T12:00:00Z`;
  execFileSync(
    'git',
    ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@a.test', 'commit', '-qm', day],
    {
      env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    },
  );
}

it('the Git facts of a folder include the remote without its password, and the last change of each file', async () => {
  git('init', '-qb', 'main');
  git('remote', 'add', 'origin', 'https://user:secret@github.com/acme/app.git');
  await commit('docs.json', '2026-01-01');
  await commit('héllo page.mdx', '2026-02-02');
  await commit('docs.json', '2026-03-03');
  await writeFile(join(folder, 'new.mdx'), 'not committed');
  const text = await gitFactsOf(folder);
  expect(text).not.toContain('secret');
  expect(JSON.parse(text ?? '')).toEqual({
    remote: 'https://github.com/acme/app',
    folder: '',
    branch: 'main',
    day: '2026-03-03',
    changed: { 'docs.json': '2026-03-03', 'héllo page.mdx': '2026-02-02' },
  });
});

it('the Git facts name the repositories of submodules', async () => {
  git('init', '-qb', 'main');
  await commit('docs.json', '2026-01-01');
  const shared = join(folder, 'shared');
  execFileSync('git', ['init', '-q', shared]);
  const remote = ['remote', 'add', 'origin', 'git@github.com:acme/shared.git'];
  execFileSync('git', ['-C', shared, ...remote]);
  git('update-index', '--add', '--cacheinfo', `160000,${'a'.repeat(40)},shared`);
  const { submodules } = JSON.parse((await gitFactsOf(folder)) ?? '');
  expect(submodules).toEqual({ shared: 'https://github.com/acme/shared' });
});

it('the Git facts are omitted without a repository or documentation, or if the folder provides them itself', async () => {
  await writeFile(join(folder, 'docs.json'), '{}');
  expect(await gitFactsOf(folder)).toBeUndefined();
  git('init', '-q');
  await rm(join(folder, 'docs.json'));
  expect(await gitFactsOf(folder)).toBeUndefined();
  await writeFile(join(folder, 'docs.json'), '{}');
  await writeFile(join(folder, '.docent-git.json'), '{}');
  expect(await gitFactsOf(folder)).toBeUndefined();
});

it('the day of the content is SOURCE_DATE_EPOCH, also without a repository, else the last commit', async () => {
  await writeFile(join(folder, 'docs.json'), '{}');
  vi.stubEnv('SOURCE_DATE_EPOCH', '1763683200');
  expect(await gitFactsOf(folder)).toBe('{"day":"2025-11-21"}');
  git('init', '-q');
  await commit('docs.json', '2026-01-01');
  expect(JSON.parse((await gitFactsOf(folder)) ?? '')).toMatchObject({ day: '2025-11-21' });
  vi.unstubAllEnvs();
  expect(JSON.parse((await gitFactsOf(folder)) ?? '')).toMatchObject({ day: '2026-01-01' });
});
