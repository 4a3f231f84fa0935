import { expect, test } from 'vitest';
import { nestHeadings } from './nest-headings.ts';
import { parseMarkdown } from './parse-blocks.ts';

const levels = (markdown: string): number[] =>
  nestHeadings(parseMarkdown(markdown), 2).flatMap((block) =>
    block.kind === 'heading' ? [block.level] : [],
  );

test('the headings of an answer never skip a level, whatever levels the model writes', () => {
  expect(levels('###### Deep\n\ntext\n\n#### Less deep\n\n## Top')).toEqual([3, 3, 3]);
  expect(levels('# One\n\n### Two\n\n#### Three\n\n### Two again\n\n# One again')).toEqual([
    3, 4, 5, 4, 3,
  ]);
  expect(levels('# 1\n\n## 2\n\n### 3\n\n#### 4\n\n##### 5\n\n###### 6')).toEqual([
    3, 4, 5, 6, 6, 6,
  ]);
});
