import { describe, expect, it } from 'vitest';
import { inEnglish } from './foreign-question.ts';
import { foreignWords } from './foreign-words.ts';

describe('a question in another language than the documentation', () => {
  it.each([
    ['Wie kann ich das mit Docker installieren?', 'Docker install'],
    ['¿Cómo puedo configurar esto con Okta?', 'Okta configure settings'],
    [
      'Comment est-ce que je peux exporter les métriques vers Prometheus ?',
      'Prometheus export metrics monitoring',
    ],
    ['如何用 Docker 部署？', 'Docker deploy'],
    ['¿Cómo programo una tarea con cron?', 'schedule task job cron'],
    ['Wie erstelle ich einen Rabatt?', 'Rabatt create add discount coupon'],
    ['Comment rembourser un client avec Docker, docker ?', 'Docker refund customer'],
    ['タスクを再試行するには？', 'task job retry'],
    ['Как настроить maxRetries?', 'maxRetries configure settings'],
  ])('is searched by its names, its code and what the dictionary has: %s', (question, english) => {
    expect(inEnglish(question, [], undefined, foreignWords)).toBe(english);
  });

  it('is searched as it is if the documentation is in that language, or the question in none that is known', () => {
    const translate = (question: string, language?: string) =>
      inEnglish(question, [], language, foreignWords);
    expect(translate('Wie kann ich das mit Docker installieren?', 'de')).toBeUndefined();
    expect(translate('How do I install it with Docker?')).toBeUndefined();
    expect(translate('docker install')).toBeUndefined();
  });
});
