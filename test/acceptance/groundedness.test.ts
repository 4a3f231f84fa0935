import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askAndJudge, ownQuestions } from '../support/ask-and-judge.ts';
import { type FakeOpenAi, startFakeOpenAi } from '../support/fake-openai.ts';
import { type ScriptedModel, scriptedModels } from '../support/scripted-models.ts';
import {
  type RunningDocent,
  removeTemporaryFolders,
  startDocent,
} from '../support/start-docent.ts';

const questions = ownQuestions.slice(0, 4);

describe('an answer', () => {
  let model: FakeOpenAi;
  let docent: RunningDocent;
  beforeAll(async () => {
    model = await startFakeOpenAi([]);
    docent = await startDocent({
      env: { DOCENT_MODEL: 'openai-compatible:scripted', DOCENT_MODEL_URL: model.url },
    });
  });
  afterAll(async () => {
    await docent.stop();
    await model.close();
    await removeTemporaryFolders();
  });

  const judgmentsOf = async (name: ScriptedModel) => {
    model.answer = scriptedModels[name];
    return Promise.all(questions.map((question) => askAndJudge(docent, question)));
  };

  test('of an obedient model is covered by the pages that it links to', async () => {
    for (const { answer, judgment } of await judgmentsOf('obedient')) {
      expect(judgment, answer).toMatchObject({
        isEmpty: false,
        ungrounded: [],
        deadLinks: [],
        foreignLinks: [],
      });
      expect(judgment.cited.all, answer).toBeGreaterThan(0);
    }
  });

  test('of a lazy model is not empty and links only to existing pages', async () => {
    for (const { answer, judgment } of await judgmentsOf('lazy'))
      expect(judgment, answer).toMatchObject({ isEmpty: false, deadLinks: [], foreignLinks: [] });
  });

  test('of a hallucinating model is judged ungrounded, and its invented page is not linked', async () => {
    for (const { answer, judgment } of await judgmentsOf('hallucinating')) {
      expect(answer).toContain('Quantum hamsters');
      expect(answer).not.toContain('/guides/quantum-hamsters');
      expect(judgment, answer).toMatchObject({ deadLinks: [], cited: { grounded: 0 } });
      expect(judgment.ungrounded.length, answer).toBeGreaterThanOrEqual(2);
    }
  });

  test('of a model that obeys an injected text is detected by its foreign link', async () => {
    for (const { judgment } of await judgmentsOf('injected'))
      expect(judgment.foreignLinks).toEqual(['https://evil.example/sign-in']);
  });
});
