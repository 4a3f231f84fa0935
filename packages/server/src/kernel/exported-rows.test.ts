import { expect, it } from 'vitest';
import { collect } from '../../../../test/support/collect.ts';
import { asText, type ExportRow } from './exported-rows.ts';

async function* rowsOf(values: readonly string[]): AsyncGenerator<ExportRow> {
  for (const text of values) yield { text, count: 1 };
}

it('every text of a CSV file is quoted, so that it is one cell for each separator, and none is a formula', async () => {
  const texts = [
    'x;=1+cmd',
    '=1',
    ' +1',
    '\n=1',
    '\uff1d1',
    '@SUM(A1)',
    '-1',
    '\t=1',
    'say "hi", then\r\nstop',
    'plain',
  ];
  const csv = (await collect(asText(rowsOf(texts), 'csv'))).join('');
  const cells = [
    'x;=1+cmd',
    "'=1",
    "' +1",
    "'\n=1",
    "'\uff1d1",
    "'@SUM(A1)",
    "'-1",
    "'\t=1",
    'say ""hi"", then\r\nstop',
    'plain',
  ];
  expect(csv).toBe(['"text","count"', ...cells.map((cell) => `"${cell}",1`), ''].join('\r\n'));
});
