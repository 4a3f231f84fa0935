import { expect, test } from 'vitest';
import { AnchorCheck } from './check-anchors.ts';

const link = (path: string, id: string, line = 1) => ({ path, id, file: 'a.mdx', line });

test('a link to a missing anchor is reported once, with its position and a remedy', () => {
  const check = new AnchorCheck();
  check.add('/a', { anchors: [], anchorLinks: [link('/b', 'gone', 7), link('/b', 'gone', 7), link('/b', 'here')] });
  check.add('/b', { anchors: ['here'], anchorLinks: [] });
  expect(check.diagnostics()).toEqual([
    {
      severity: 'warning',
      code: 'broken-link',
      message: 'The page "/b" has no heading or id "#gone".',
      remedy: 'Correct the link, or add the id to the heading with {#id}.',
      file: 'a.mdx',
      line: 7,
    },
  ]);
});

test('a link with the heading id of another platform is reported with our id as the remedy', () => {
  const check = new AnchorCheck();
  check.add('/b', { anchors: ['sync-vercelenvvars', '—'], anchorLinks: [] });
  check.add('/a', { anchors: [], anchorLinks: [link('/b', 'sync_VercelEnvVars'), link('/b', '!', 2)] });
  expect(check.diagnostics().map(({ remedy }) => remedy)).toEqual([
    'Correct it to "#sync-vercelenvvars". Browsers that run JavaScript find the heading anyway.',
    'Correct the link, or add the id to the heading with {#id}.',
  ]);
});

test('the top of a page, encoded ids and pages that were not compiled are not reported', () => {
  const check = new AnchorCheck();
  check.add('/b', { anchors: ['über-uns', 'a&b'], anchorLinks: [] });
  const ids = ['', 'top', '%C3%BCber-uns', 'a%26b', '%E0%A4%A'];
  check.add('/a', { anchors: [], anchorLinks: [...ids.map((id) => link('/b', id)), link('/elsewhere', 'x')] });
  expect(check.diagnostics().map(({ message }) => message)).toEqual(['The page "/b" has no heading or id "#%E0%A4%A".']);
});
