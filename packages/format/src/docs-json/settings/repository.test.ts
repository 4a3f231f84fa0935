import { describe, expect, it } from 'vitest';
import {
  contentDay,
  editAddress,
  issueAddress,
  readGitFacts,
  readRepository,
  webAddress,
} from './repository.ts';

const edit = (text: string, file = 'guides/start.mdx') => {
  const repository = readRepository(text);
  return repository && editAddress(repository, file);
};

describe('a repository URL', () => {
  it('links to the file of a page on each forge, with branch and folder if set', () => {
    expect(edit('https://github.com/acme/docs')).toBe(
      'https://github.com/acme/docs/edit/HEAD/guides/start.mdx',
    );
    expect(edit('https://github.com/acme/docs.git/')).toBe(
      'https://github.com/acme/docs/edit/HEAD/guides/start.mdx',
    );
    expect(edit('https://github.com/acme/app/tree/main/apps/docs')).toBe(
      'https://github.com/acme/app/edit/main/apps/docs/guides/start.mdx',
    );
    expect(edit('https://gitlab.com/a/b/c/-/tree/main/docs')).toBe(
      'https://gitlab.com/a/b/c/-/edit/main/docs/guides/start.mdx',
    );
    expect(edit('https://gitlab.com/a/b/c')).toBe(
      'https://gitlab.com/a/b/c/-/edit/HEAD/guides/start.mdx',
    );
    expect(edit('https://codeberg.org/a/b/src/branch/main/docs')).toBe(
      'https://codeberg.org/a/b/_edit/main/docs/guides/start.mdx',
    );
    expect(edit('https://bitbucket.org/a/b/src/main/docs')).toBe(
      'https://bitbucket.org/a/b/src/main/docs/guides/start.mdx?mode=edit',
    );
  });

  it('keeps file names inside their path', () => {
    expect(edit('https://github.com/a/b', 'a b/c?x#y.mdx')).toBe(
      'https://github.com/a/b/edit/HEAD/a%20b/c%3Fx%23y.mdx',
    );
  });

  it.each([
    'http://github.com/a/b',
    'https://github.com/a',
    'https://github.com/a/b/c',
    'https://github.com/a/../b',
    'https://user:secret@github.com/a/b',
    'javascript:alert(1)//a/b',
    'https://github.com/a/b?x=<script>',
    'a/b',
    '',
  ])('is rejected if it is %j', (text) => {
    expect(readRepository(text)).toBeUndefined();
  });

  it('links to a new issue with title and path of the page', () => {
    const repository = readRepository('https://github.com/a/b/tree/main/docs');
    expect(repository && issueAddress(repository, { title: 'A & B', path: '/x' })).toBe(
      'https://github.com/a/b/issues/new?title=A%20%26%20B&body=Page%3A%20%2Fx%0A%0A',
    );
  });
});

it('the web address of a repository is derived from its remote and never contains credentials', () => {
  const addresses: Record<string, string | undefined> = {
    'git@github.com:acme/app.git': 'https://github.com/acme/app',
    'https://x-access-token:secret@github.com/acme/app.git': 'https://github.com/acme/app',
    'https://github.com/acme/app/': 'https://github.com/acme/app',
    'ssh://git@git.acme.example:2222/team/docs.git': 'https://git.acme.example/team/docs',
    'https://git.acme.example:8443/team/docs': 'https://git.acme.example:8443/team/docs',
    'git://gitlab.com/a/b/c': 'https://gitlab.com/a/b/c',
    '/srv/git/app.git': undefined,
    '../app': undefined,
    'file:///srv/app.git': undefined,
    'javascript:alert(1)': 'https://javascript/alert(1)',
    '': undefined,
  };
  for (const [remote, address] of Object.entries(addresses))
    expect(webAddress(remote), remote).toBe(address);
});

it('Git facts provide repository, branch, folder, and file dates, and invalid facts are omitted', () => {
  const written = {
    remote: 'git@github.com:acme/app.git',
    branch: 'docs/next',
    folder: 'docs',
    changed: { 'a.mdx': '2026-11-02', 'b.mdx': 'yesterday', 'c.mdx': 3 },
  };
  const { repository, changed } = readGitFacts(JSON.stringify(written));
  expect(repository && editAddress(repository, 'a.mdx')).toBe(
    'https://github.com/acme/app/edit/docs/next/docs/a.mdx',
  );
  expect([...changed]).toEqual([['a.mdx', '2026-11-02']]);
  const linkOn = (forge: string) => {
    const own = readGitFacts(
      JSON.stringify({ ...written, remote: 'git@git.acme.example:a/b/c.git', forge }),
    ).repository;
    return own && editAddress(own, 'a.mdx');
  };
  expect(linkOn('gitlab')).toBe('https://git.acme.example/a/b/c/-/edit/docs/next/docs/a.mdx');
  expect(linkOn('gitea')).toBe('https://git.acme.example/a/b/c/_edit/docs/next/docs/a.mdx');
  expect(linkOn('constructor')).toBeUndefined();
  for (const text of [
    undefined,
    '',
    '[]',
    '{',
    '{"remote": 3, "changed": [1]}',
    '{"remote": "javascript:alert(1)"}',
  ])
    expect(readGitFacts(text), text).toEqual({ changed: new Map() });
  expect(
    readGitFacts(JSON.stringify({ ...written, branch: '../../evil"><script>' })).repository?.branch,
  ).toBe('HEAD');
});

it('the day of the content is the one that is written down, else of the newest change, else of the build', () => {
  const dayOf = (facts: object) => contentDay(readGitFacts(JSON.stringify(facts)));
  const changed = { 'a.mdx': '2026-02-02', 'b.mdx': '2026-03-03', 'c.mdx': '2025-12-31' };
  expect(dayOf({ day: '2026-01-01', changed })).toBe('2026-01-01');
  expect(dayOf({ day: '2026-99-99', changed })).toBe('2026-03-03');
  expect(Date.now() - Date.parse(dayOf({}))).toBeLessThan(2 * 86_400_000);
});
