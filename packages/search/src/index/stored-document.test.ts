import { expect, it } from 'vitest';
import { cpuMs } from '../../../../test/support/cpu-ms.ts';
import { plainText } from './stored-document.ts';

it('plainText separates prose from code', () => {
  expect(
    plainText('Run **this** [command](/cli):\n\n```sh title\nnpm start\n```\n\n- then `wait`\n'),
  ).toEqual({
    text: 'Run this command: then wait',
    code: 'npm start',
  });
});

it('plainText reads an unclosed code block to the end of the text', () => {
  expect(plainText('A\n\n~~~js\nlet a;\nlet b;')).toEqual({ text: 'A', code: 'let a;\nlet b;' });
});

it('plainText drops the marks of emphasis, and keeps other asterisks', () => {
  expect(plainText('Turn on *Push events* and ***all*** others').text).toBe(
    'Turn on Push events and all others',
  );
  expect(plainText('`*.js` and `*.ts`, 2 * 3 * 4, a*b*c, \\*not\\* and **kwargs').text).toBe(
    '*.js and *.ts, 2 * 3 * 4, a*b*c, \\*not\\* and kwargs',
  );
});

it('plainText drops the delimiter rows of tables', () => {
  expect(plainText('| A | B |\n| --- | :-: |\n| one | two |').text).toBe('A B one two');
});

it('plainText takes linear time on hostile Markdown', () => {
  const start = cpuMs();
  for (const piece of ['[', '![', '](', '```\n', '| --- ', '-', '[a](', ' *a', '*a  '])
    plainText(piece.repeat(50_000));
  expect(cpuMs() - start).toBeLessThan(5000);
});
