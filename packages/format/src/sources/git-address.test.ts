import { describe, expect, it } from 'vitest';
import { isBranchName, readGitAddress, readSourceFolder, repositoryName } from './git-address.ts';

describe('the address of a repository', () => {
  it.each([
    [
      'https://git.acme.example/team/docs.git',
      'https://git.acme.example/team/docs.git',
      'git.acme.example',
      443,
    ],
    [
      'https://git.acme.example:8443/docs',
      'https://git.acme.example:8443/docs',
      'git.acme.example',
      8443,
    ],
    [
      'git@git.acme.example:team/docs.git',
      'ssh://git@git.acme.example/team/docs.git',
      'git.acme.example',
      22,
    ],
    [
      'ssh://git@git.acme.example:2222/docs',
      'ssh://git@git.acme.example:2222/docs',
      'git.acme.example',
      2222,
    ],
  ])('may be %s', (text, url, host, port) => {
    expect(readGitAddress(text)).toEqual({ protocol: url.split(':')[0], url, host, port });
  });

  it.each([
    'http://git.acme.example/docs',
    'git://git.acme.example/docs',
    'file:///etc',
    'ext::sh -c id',
    '/etc',
    '--upload-pack=id',
    'ssh://-oProxyCommand=id/docs',
    'ssh://git@git.acme.example/-x',
    'https://me:secret@git.acme.example/docs',
    'https://git.acme.example/',
    'https://git.acme.example/docs?x',
    'git@git.acme.example:../docs',
  ])('is refused with a reason if it is %s', (text) => {
    expect(readGitAddress(text)).toMatch(/^The .*\.$/);
  });

  it('names branches and folders that cannot be taken for anything else', () => {
    expect(['main', 'feature/a-b', 'v2.0', 'ünlü'].filter(isBranchName)).toHaveLength(4);
    expect(
      ['-x', '--upload-pack=id', 'a..b', 'a b', 'a.lock', '.a', 'a/', '@{1}', 'a:b', ''].filter(
        isBranchName,
      ),
    ).toEqual([]);
    expect(['/docs/', './docs', 'docs', '.', ''].map(readSourceFolder)).toEqual([
      'docs',
      'docs',
      'docs',
      '',
      '',
    ]);
    expect(['../x', 'a/../b', 'a//b', 'a\\b', 'a\nb'].map(readSourceFolder)).toEqual(
      Array(5).fill(undefined),
    );
  });
});

it('a repository is named by its owner and its name, however it is fetched', () => {
  for (const url of [
    'https://github.com/acme/docs',
    'https://github.com/acme/docs.git',
    'ssh://git@github.com/acme/docs.git/',
  ])
    expect(repositoryName(url)).toBe('acme/docs');
});
