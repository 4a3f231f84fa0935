import { expect, it } from 'vitest';
import { readGitFacts, webAddress } from './git-facts.ts';
import { editAddress } from './repository.ts';

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
  for (const [remote, address] of Object.entries(addresses)) expect(webAddress(remote), remote).toBe(address);
});

it('Git facts provide repository, branch, folder, and file dates, and invalid facts are omitted', () => {
  const written = {
    remote: 'git@github.com:acme/app.git',
    branch: 'docs/next',
    folder: 'docs',
    changed: { 'a.mdx': '2026-11-02', 'b.mdx': 'yesterday', 'c.mdx': 3 },
  };
  const { repository, changed } = readGitFacts(JSON.stringify(written));
  expect(repository && editAddress(repository, 'a.mdx')).toBe('https://github.com/acme/app/edit/docs/next/docs/a.mdx');
  expect([...changed]).toEqual([['a.mdx', '2026-11-02']]);
  for (const text of [undefined, '', '[]', '{', '{"remote": 3, "changed": [1]}', '{"remote": "javascript:alert(1)"}'])
    expect(readGitFacts(text), text).toEqual({ changed: new Map() });
  expect(readGitFacts(JSON.stringify({ ...written, branch: '../../evil"><script>' })).repository?.branch).toBe('HEAD');
});
