import { describe, expect, it } from 'vitest';
import { QuestionWords } from '../retrieve/question-words.ts';
import { answerUnits } from './answer-units.ts';
import { rankPassages } from './choose-quotes.ts';
import { questionTraits } from './question-kind.ts';
import { sectionWeights, unitWeights } from './weights.ts';

describe('the weights of sections and of their parts', () => {
  it('are one finite number for each feature', () => {
    const question = 'How do I rotate a key?';
    const content = 'Rotate a key with `keys rotate`.';
    const passage = {
      path: 'keys',
      content,
      url: 'https://docs.example.com/keys#rotate',
      headings: ['Rotate'],
      metadata: { title: 'Keys', score: 1 },
    };
    const words = new QuestionWords(question);
    const ranked = rankPassages(question, words, [passage]);
    const [unit] = answerUnits(words, questionTraits(question), ranked);
    for (const [weights, evidence] of [
      [sectionWeights, ranked[0]?.evidence],
      [unitWeights, unit?.evidence],
    ]) {
      expect(Object.keys(weights ?? {}).sort()).toEqual(Object.keys(evidence ?? {}).sort());
      expect(Object.values(weights ?? {}).every(Number.isFinite)).toBe(true);
    }
  });
});
