import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../../test/support/cpu-ms.ts';
import type { ChatRequest, Passage } from '../chat/chat-request.ts';
import { answerFrames, frameLanguages } from './answer-frames.ts';
import { extractiveAnswer } from './extractive-answer.ts';

const passage = (
  path: string,
  title: string,
  heading: string,
  content: string,
  score: number,
): Passage => ({
  path,
  content,
  url: `https://docs.example.com/${path}`,
  headings: [heading],
  metadata: { title, score },
  share: score,
});

const passages = [
  passage(
    'keys',
    'API [keys]',
    'Rotate a key',
    'Keys are secrets.\n\nTo rotate an API key, follow these steps:\n\n1. Create a second key.\n2. Move your clients.\n3. Revoke the first key.\n\n```sh\nkeys revoke FIRST\n```\n\n![Screenshot](/shot.png)',
    0.7,
  ),
  passage(
    'billing',
    'Billing',
    'Invoices',
    'An invoice is sent on the first day of the month.',
    0.4,
  ),
];
const request = (text: string, more: Partial<ChatRequest> = {}): ChatRequest => ({
  instructions: '',
  steps: [],
  mayUseTools: false,
  turns: [{ role: 'user', text }],
  passages,
  ...more,
});
const answer = (chatRequest: ChatRequest) => extractiveAnswer(chatRequest).pieces.join('');

describe('the extractive answer', () => {
  it('quotes the passage that answers, with its steps and code in full, and links to it', () => {
    const text = answer(request('How do I rotate an API key?')).replaceAll(/^> ?/gm, '');
    expect(text).toContain('[API \\[keys\\] › Rotate a key](https://docs.example.com/keys)');
    expect(text).toContain(
      '1. Create a second key.\n2. Move your clients.\n3. Revoke the first key.',
    );
    expect(text).toContain('```sh\nkeys revoke FIRST\n```');
    expect(text).not.toContain('shot.png');
  });

  it('answers an English question in English, though two of its words are French, too', () => {
    const drive = [
      passage('drive', 'Drives', 'Store models', 'Models are stored on drive D:.', 0.6),
    ];
    expect(answer(request('store models on D: drive', { passages: drive }))).toContain(
      answerFrames('en').quoted.split('{source}')[0] as string,
    );
  });

  it('names a page once if it quotes several of its sections', () => {
    const sections = ['Noon', 'Night'].map((heading, at) =>
      passage('zebras', 'Zebras', heading, `${heading}: a zebra is fed ${at + 1} times.`, 0.5),
    );
    const text = answer(request('how often is a zebra fed?', { passages: sections }));
    expect(text).toContain('[Zebras › Noon]');
    expect(text).toContain('From [Night](https://docs.example.com/zebras):');
  });

  it('answers a follow-up by what it is about, never with certainty', () => {
    const turns: ChatRequest['turns'] = [
      { role: 'user', text: 'How do I rotate an API key?' },
      { role: 'assistant', text: 'Like this.' },
      { role: 'user', text: 'and then?' },
    ];
    const { isSure, sources } = extractiveAnswer(request('', { turns }));
    expect([isSure, sources[0]]).toEqual([false, 'keys']);
  });

  it('says in the language of the question that it cannot see images', () => {
    const chatRequest = {
      turns: [{ role: 'user' as const, text: 'Wie erneuere ich einen API key?' }],
      hasUnseenImages: true,
    };
    expect(answer(request('', chatRequest))).toMatch(/^Bilder kann ich nicht sehen/);
    const images = [{ mediaType: 'image/png', base64: 'iVBORw0KGgo=' }];
    expect(answer(request('How do I rotate an API key?', { images, withoutModel: true }))).toMatch(
      /I cannot see images/,
    );
    expect(answer(request('How do I rotate an API key?'))).not.toMatch(/images/);
  });

  it('is a block quote, which comes with its sentence and the section that it is from', () => {
    const content = `Keys are secrets. To rotate an API key, create a second one. Then revoke the first.\n\n${'More about keys. '.repeat(600)}`;
    const { pieces, quotes } = extractiveAnswer(
      request('How do I rotate an API key?', {
        passages: [passage('keys', 'Keys', 'Rotate a key', content, 0.7)],
      }),
    );
    expect(pieces.join('')).toMatch(
      /:\n\n> Keys are secrets\. To rotate an API key, create a second one\./,
    );
    expect(pieces.join('').length).toBeLessThan(1200);
    expect(quotes).toEqual([
      {
        url: 'https://docs.example.com/keys',
        highlight: 'To rotate an API key, create a second one.',
        section: expect.stringMatching(/^Keys are secrets/),
      },
    ]);
    expect(quotes[0]?.section?.length).toBeLessThan(6100);
  });

  it('says that it quotes', () => {
    expect(answer(request('How do I rotate an API key?'))).toMatch(/quoted/);
  });

  it('ends with one more page if it is not sure, however long it is', () => {
    const parts = ['first', 'second', 'third'].map(
      (name) =>
        `The ${name} key was rotated by a person. ${'It is a secret of theirs. '.repeat(9)}`,
    );
    const { isSure, pieces } = extractiveAnswer(
      request('which person rotated my key on Friday?', {
        passages: [
          passage('keys', 'Keys', 'Other', parts.join('\n\n'), 0.9),
          passage('billing', 'Billing', 'Pay', 'Pay with a card.', 0.8),
          passage('users', 'Users', 'Invite', 'Invite them.', 0.7),
        ],
      }),
    );
    expect(isSure).toBe(false);
    expect(pieces.join('').length).toBeGreaterThan(800);
    expect(pieces.join('')).toMatch(/```suggestions\n\(Billing\)\[\/billing\]\n```$/);
  });

  it('ends with suggested pages in the form that clients parse', () => {
    expect(answer(request('How do I rotate an API key?'))).toMatch(
      /\n\n```suggestions\n\(Billing\)\[\/billing\]\n```$/,
    );
  });

  it('says clearly that nothing matches, and quotes nothing', () => {
    const text = answer(request('Which football team won the championship in 1954?'));
    expect(text).toMatch(/^I found nothing in this documentation/);
    expect(text).not.toContain('Keys are secrets');
    expect(answer(request('How do I rotate an API key?', { passages: [] }))).toMatch(
      /^I found nothing/,
    );
  });

  it('lists the pages that it quotes, and none if nothing matches or nothing was asked', () => {
    expect(extractiveAnswer(request('How do I rotate an API key?')).sources).toEqual(['keys']);
    expect(
      extractiveAnswer(request('Which football team won the championship in 1954?')).sources,
    ).toEqual([]);
    expect(extractiveAnswer(request('hi')).sources).toEqual([]);
  });

  it('offers the support contact in the language of the question if nothing matches', () => {
    const support = '[help@example.com](mailto:help@example.com)';
    const none = { passages: [], support };
    expect(answer(request('How do I rotate an API key?', none))).toContain(
      `For more help: ${support}`,
    );
    expect(answer(request('Comment est-ce que je peux faire tourner une clé ?', none))).toContain(
      `Pour plus d’aide : ${support}`,
    );
  });

  it('summarizes the page that the question refers to by its beginning and the first sentence of each section', () => {
    const text = answer(
      request('Summarize this page', {
        pointsAt: 'page',
        passages: [
          {
            ...passage('keys', 'Keys', '', 'Keys are secrets of two kinds.', 1),
            headings: [],
            description: 'All about keys.',
          },
          passage(
            'keys',
            'Keys',
            'Rotate a key',
            'A second key is made first. Then the old one is revoked.',
            0.9,
          ),
          passage('other', 'Other', 'Other', 'Nothing of this.', 0.3),
        ],
      }),
    );
    expect(text).toContain('All about keys.\n\nKeys are secrets of two kinds.\n\n');
    expect(text).toContain(
      '- [**Rotate a key**](https://docs.example.com/keys): A second key is made first.',
    );
    expect(text).not.toContain('Nothing of this');
  });

  it('explains a selection from the section that it is in', () => {
    const chatRequest = request('what does this do?\n\nCode on /keys:\nkeys revoke FIRST', {
      pointsAt: 'selection',
    });
    expect(answer(chatRequest)).toContain('To rotate an API key, follow these steps:');
  });

  it('begins with the note', () => {
    expect(answer(request('How?', { passages: [], note: 'There is no version “v9”.' }))).toMatch(
      /^There is no version “v9”\./,
    );
  });

  it('asks for a question if the message contains none', () => {
    expect(answer(request('Thanks!'))).toMatch(/^Ask a question/);
    expect(answer(request('', { turns: [] }))).toMatch(/^Ask a question/);
  });

  it('is the same for the same request', () => {
    const chatRequest = request('How do I rotate an API key?');
    expect(extractiveAnswer(chatRequest)).toEqual(extractiveAnswer(structuredClone(chatRequest)));
  });

  it('continues an answer from where it stopped', () => {
    const whole = answer(request('How do I rotate an API key?'));
    const begun = whole.slice(0, 80);
    const turns = [
      { role: 'user' as const, text: 'How do I rotate an API key?' },
      { role: 'assistant' as const, text: begun },
    ];
    expect(begun + answer(request('', { turns }))).toBe(whole);
  });

  it('comes in several pieces that never split a character', () => {
    const { pieces } = extractiveAnswer(
      request('rotate', {
        passages: [passage('a', 'A', 'Rotate', 'Rotate 🚀🚀 the key. '.repeat(40), 0.8)],
      }),
    );
    expect(pieces.length).toBeGreaterThan(3);
    for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
  });

  it('shortens long content: the paragraph around the sentence, the rows of a table, the end of code', () => {
    const long = [
      `${'Filler about nothing at all. '.repeat(100)}The zebra setting is off. ${'More filler follows here. '.repeat(100)}`,
      `| Name | Meaning |\n| --- | --- |\n${'| other | nothing |\n'.repeat(200)}| zebra | stripes |`,
      `\`\`\`js\n${'zebra();\n'.repeat(500)}\`\`\``,
    ];
    for (const content of long) {
      const text = answer(
        request('zebra', { passages: [passage('z', 'Zebra', 'Setting', content, 0.8)] }),
      );
      expect(text.length).toBeLessThan(2500);
      expect(text).toContain('zebra');
      expect((text.match(/^```/gm) ?? []).length % 2).toBe(0);
    }
  });

  it('takes linear time on a hostile passage', () => {
    const start = cpuMs();
    for (const piece of ['- ', '```\n', '| ', '. A', '![', '\n\n', '    ']) {
      answer(
        request('rotate a key', {
          passages: [passage('h', 'Rotate key', 'Key', `rotate key ${piece.repeat(20_000)}`, 0.9)],
        }),
      );
    }
    expect(cpuMs() - start).toBeLessThan(8000);
  });
});

/** The language of the sentence that an answer begins with. */
function languageOf(text: string): string | undefined {
  return frameLanguages.find((language) => {
    const { quoted, nearest, nothingFound } = answerFrames(language);
    return [quoted, nearest, nothingFound].some((frame) =>
      text.startsWith(frame.split('{source}')[0] as string),
    );
  });
}

describe('the sentences around quotes', () => {
  it('are in the language of the question', () => {
    const answerLanguage = (text: string, language?: string) =>
      languageOf(answer(request(text, language ? { language } : {})));
    expect(answerLanguage('Comment est-ce que je peux faire tourner une API key ?')).toBe('fr');
    expect(
      answerLanguage('Wie kann ich den API key rotieren, und was ist dann mit den Clients?'),
    ).toBe('de');
    expect(answerLanguage('APIキーを交換するにはどうすればいいですか')).toBe('ja');
    expect(answerLanguage('How do I rotate an API key?', 'fr')).toBe('en');
  });

  it('are in the language of the pages if the language of the question is unclear', () => {
    const languages = ['fr', 'fr-CA', 'xx'].map((language) =>
      languageOf(answer(request('API key rotate', { language }))),
    );
    expect(languages).toEqual(['fr', 'fr', 'en']);
  });

  it('exist in every interface language, each with one placeholder for the source', () => {
    expect(frameLanguages).toHaveLength(31);
    for (const language of frameLanguages) {
      const { quoted, nearest, further } = answerFrames(language);
      for (const frame of [quoted, nearest, further])
        expect(frame.match(/\{source\}/g), language).toHaveLength(1);
    }
    expect(answerFrames('zh-TW')).toEqual(answerFrames('zh-hant'));
    expect(answerFrames('cn')).toEqual(answerFrames('zh'));
    expect(answerFrames('pt-BR')).not.toEqual(answerFrames('pt'));
  });
});
