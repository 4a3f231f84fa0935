import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createVale } from './vale.ts';
import { safeValeConfig } from './vale-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'docent-vale-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { signal } = new AbortController();

let count = 0;
/** A program in the place of Vale, which prints what its documentation says. */
function standIn(script: string): string {
  const file = join(folder, `vale-${++count}`);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

const alert = (more: object) => ({
  ...{ Action: { Name: '', Params: null }, Span: [1, 4], Description: '', Link: '' },
  ...{ Check: 'Acme.Words', Message: "Use 'site'.", Severity: 'error', Match: 'page', Line: 3 },
  ...more,
});

it('what Vale prints becomes alerts at their files and lines', async () => {
  const answer = {
    './guides/a.mdx': [alert({}), alert({ Severity: 'suggestion', Line: 9 })],
    'b.md': [alert({ Severity: 'warning' }), { Line: 'none' }],
  };
  const vale = createVale(standIn(`cat <<'END'\n${JSON.stringify(answer)}\nEND`));
  expect(await vale.isInstalled()).toBe(true);
  writeFileSync(join(folder, '.vale.ini'), '[*.mdx]\nBasedOnStyles = Vale\n');
  expect(await vale.lint(folder, signal)).toEqual([
    ...[3, 9].map((line) => ({
      ...{ file: 'guides/a.mdx', line, rule: 'Acme.Words', message: "Use 'site'." },
      severity: line === 3 ? 'error' : 'suggestion',
    })),
    expect.objectContaining({ file: 'b.md', line: 3, severity: 'warning' }),
  ]);
});

it('without a program or a configuration, nothing is checked', async () => {
  expect(await createVale(join(folder, 'none')).isInstalled()).toBe(false);
  rmSync(join(folder, '.vale.ini'), { force: true });
  expect(await createVale(standIn('echo "{}"')).lint(folder, signal)).toEqual([]);
});

it('what goes wrong is said in a sentence, and a program that writes too much is ended', async () => {
  writeFileSync(join(folder, '.vale.ini'), 'MinAlertLevel = error\n');
  const lint = (script: string) => createVale(standIn(script)).lint(folder, signal);
  const broken = JSON.stringify({ Line: 0, Path: '', Text: 'The path "styles" does not exist.' });
  expect(await lint(`echo '${broken}'; exit 2`)).toBe(
    'Vale could not check the pages: The path "styles" does not exist.',
  );
  expect(await lint('echo nonsense')).toBe('Vale did not answer in its format.');
  expect(await lint('yes')).toContain('could not check');
  expect(await lint('echo x > written; [ -s written ] && echo "{}"')).toContain('could not check');
});

it('a configuration chooses rules, but neither programs nor servers nor folders elsewhere', () => {
  const text = [
    'StylesPath = ./styles',
    'MinAlertLevel = suggestion # all',
    'Packages = https://elsewhere.example/a.zip',
    'NLPEndpoint = http://169.254.169.254',
    'SphinxAutoBuild = touch /tmp/x',
    '[formats]',
    'mdx = rst',
    '[*.{md,mdx}]',
    'BasedOnStyles = Vale, Acme',
    'Transform = evil.xsl',
    'Acme.Words = NO',
  ].join('\n');
  expect(safeValeConfig(text)).toEqual({
    styles: 'styles',
    text: [
      'StylesPath = styles',
      'MinAlertLevel = suggestion # all',
      '',
      '[formats]\nmdx = md',
      '',
      '[*.{md,mdx}]',
      'BasedOnStyles = Vale, Acme',
      'Acme.Words = NO',
      '',
    ].join('\n'),
  });
  for (const path of ['/etc', '../styles', 'a/../../b', '~', 'a//b'])
    expect(safeValeConfig(`StylesPath = ${path}`)).toContain('must be a folder beside it');
});

it('only the safe part of a configuration is left for Vale', async () => {
  writeFileSync(join(folder, '.vale.ini'), 'Packages = Google\n[*]\nVale.Spelling = NO\n');
  await createVale(standIn('echo "{}"')).lint(folder, signal);
  expect(readFileSync(join(folder, '.vale.ini'), 'utf8')).not.toContain('Packages');
});
