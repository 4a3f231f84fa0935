import { describe, expect, it } from 'vitest';
import type { AssistantQuestion } from '../chat/chat-request.ts';
import { pointsAt } from './page-question.ts';

const refersTo = (question: string, more: Partial<AssistantQuestion> = {}) =>
  pointsAt({
    question,
    turns: [{ role: 'user', text: question }],
    context: [],
    currentPath: 'guides/keys',
    ...more,
  } as AssistantQuestion);
const selection = [{ type: 'textSelection' as const, value: 'keys rotate' }];

describe('a question', () => {
  it('asks about the whole page in any wording', () => {
    for (const question of [
      'Summarize this page',
      'tl;dr',
      'What is this page about?',
      'explain this article in simple terms',
      'give me the key points',
      'Fasse diese Seite zusammen',
      'Résume cette page',
      'Resume esta página',
      'このページを要約して',
      '总结本页',
    ])
      expect(refersTo(question), question).toBe('page');
  });

  it('asks about the selection', () => {
    for (const question of [
      'what does this do?',
      'explain',
      'Explain this code',
      'why is it required?',
      'Was bedeutet das?',
    ])
      expect(refersTo(question, { context: selection }), question).toBe('selection');
    expect(refersTo('Summarize this page', { context: selection })).toBe('page');
  });

  it('asks about something on the page', () => {
    expect(refersTo('What is the time limit mentioned on this page?')).toBe('inPage');
  });

  it('does not refer to the page if it has its own subject, follows an answer, or has no page', () => {
    expect(refersTo('How do I rotate a key?')).toBeUndefined();
    expect(refersTo('How do I summarize a thread?')).toBeUndefined();
    expect(
      refersTo('how do I rotate a key and revoke the old one?', { context: selection }),
    ).toBeUndefined();
    const turns = ['a', 'b', 'explain'].map((text) => ({ role: 'user' as const, text }));
    expect(refersTo('explain', { turns })).toBeUndefined();
    expect(refersTo('Summarize this page', { currentPath: undefined })).toBeUndefined();
  });
});
