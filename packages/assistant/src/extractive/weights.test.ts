import { describe, expect, it } from 'vitest';
import { QuestionWords } from '../retrieve/question-words.ts';
import { rankPassages } from './choose-quotes.ts';
import { sectionWeights } from './weights.ts';

describe('the weights of sections', () => {
  it('are one finite number for each feature of a section', () => {
    const question = 'How do I rotate a key?';
    const content = 'Rotate a key with `keys rotate`.';
    const passage = {
      path: 'keys',
      content,
      url: 'https://docs.example.com/keys#rotate',
      headings: ['Rotate'],
      metadata: { title: 'Keys', score: 1 },
    };
    const [ranked] = rankPassages(question, new QuestionWords(question), [passage]);
    expect(Object.keys(sectionWeights).sort()).toEqual(Object.keys(ranked?.evidence ?? {}).sort());
    expect(Object.values(sectionWeights).every(Number.isFinite)).toBe(true);
  });
});
