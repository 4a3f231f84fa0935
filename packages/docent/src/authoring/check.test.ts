import type { Diagnostic } from '@docent/format/diagnostics.ts';
import { describe, expect, it } from 'vitest';
import { annotations, checkText, sarifLog } from './check.ts';

const finding: Diagnostic = {
  ...{ severity: 'warning', code: 'broken-link', file: 'a,b:c.mdx', line: 3, column: 2 },
  message: 'There is no page "100%"\n::error::x.',
  remedy: 'Correct it.',
};

describe('annotations', () => {
  it('are one line each, and escape everything that could start another command', () => {
    const text = annotations(
      [finding, { ...finding, severity: 'info', file: '', line: undefined, column: undefined }],
      'docs',
    );
    expect(text.split('\n')).toEqual([
      '::warning file=docs/a%2Cb%3Ac.mdx,line=3,col=2,title=broken-link::There is no page "100%25"%0A::error::x. Correct it.',
      '::notice title=broken-link::There is no page "100%25"%0A::error::x. Correct it.',
    ]);
  });
});

describe('a SARIF log', () => {
  it('contains a rule and a location for each finding', () => {
    expect(sarifLog([finding], '')).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { rules: [{ id: 'broken-link' }] } },
          results: [
            {
              ruleId: 'broken-link',
              level: 'warning',
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'a%2Cb%3Ac.mdx' },
                    region: { startLine: 3, startColumn: 2 },
                  },
                },
              ],
            },
          ],
        },
      ],
    });
  });
});

describe('the text output of a check', () => {
  const result = {
    pageCount: 1,
    failedPageCount: 0,
    fileCount: 0,
    durationMs: 1234,
    findings: [finding],
  };

  it('contains the file, the position, the source line without control characters, the remedy and a count', () => {
    const text = checkText(result, 2, () => '  see \u001b[31m[x](/x)');
    expect(text).toContain('a,b:c.mdx\n  3:2     warning');
    expect(text).toContain('| see  [31m[x](/x)');
    expect(text).toContain('→ Correct it.');
    expect(text).toMatch(
      /1 pages, 0 files: 0 errors, 1 warning; 2 hints not shown \(--all\); 1\.2 s$/,
    );
  });

  it('shortens a long line around the position', () => {
    const line = `${'x'.repeat(500)}HERE${'y'.repeat(500)}`;
    const text = checkText({ ...result, findings: [{ ...finding, column: 501 }] }, 0, () => line);
    expect(text).toContain('HERE');
    expect(text).not.toContain('x'.repeat(200));
  });
});
