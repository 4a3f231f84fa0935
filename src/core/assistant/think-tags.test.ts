import { describe, expect, it } from 'vitest';
import { type SpokenText, ThinkTags } from './think-tags.ts';

function read(text: string, size: number) {
  const tags = new ThinkTags();
  const all: SpokenText[] = [];
  for (let at = 0; at < text.length; at += size) all.push(...tags.push(text.slice(at, at + size)));
  all.push(...tags.end());
  const said = (type: string) =>
    all
      .filter((one) => one.type === type)
      .map((one) => one.text)
      .join('');
  return { text: said('text'), reasoning: said('reasoning') };
}

describe('reasoning between think tags', () => {
  it.each([1, 2, 3, 7, 100])('is separated from the answer wherever the text is cut: %i characters', (size) => {
    expect(read('\n<think>Is 1 < 2? </thin no.</think>\n\nYes, `<think>` is a tag.', size)).toEqual({
      reasoning: 'Is 1 < 2? </thin no.',
      text: 'Yes, `<think>` is a tag.',
    });
  });

  it.each([1, 4, 100])('is recognized at the beginning alone: %i characters', (size) => {
    expect(read('<thin air> and <think>x</think>', size)).toEqual({ reasoning: '', text: '<thin air> and <think>x</think>' });
    expect(read('  <th', size)).toEqual({ reasoning: '', text: '  <th' });
  });

  it('that never ends stays reasoning', () => {
    expect(read('<think>and so on</thi', 5)).toEqual({ reasoning: 'and so on</thi', text: '' });
  });
});
