import { describe, expect, it } from 'vitest';
import { choose, FILLER, first, passage, quotesFor } from '../../../../test/support/quotes.ts';
import type { Passage } from '../chat/chat-request.ts';
import { QuestionWords } from '../retrieve/question-words.ts';
import { rankPassages } from './choose-quotes.ts';
import { answerEvidence, coveredChance } from './confidence.ts';

const evidenceFor = (question: string, passages: Passage[]) => {
  const words = new QuestionWords(question);
  return answerEvidence(words, rankPassages(question, words, passages), passages);
};
describe('chooseQuotes', () => {
  it('quotes the section that matches the question best, not the first search result', () => {
    const passages = [
      passage('trials', ['Reminders'], 'Before the end of the period an email goes out.', 0.6),
      passage(
        'trials',
        ['Preventing abuse'],
        'To stop people from taking a second trial, switch on abuse prevention.',
        0.58,
      ),
    ];
    expect(first('how do I stop people from taking a second trial?', passages)).toContain(
      'switch on abuse prevention',
    );
  });

  it('is as sure of a long question as of a short one with the same share of its words', () => {
    const names = Array.from(
      { length: 40 },
      (_, index) => `gad${String.fromCharCode(97 + (index % 26))}${index < 26 ? 'or' : 'ux'}`,
    );
    const passages = [passage('a', ['Parts'], names.join(' '), 0.6)];
    const [five, forty] = [5, 40].map((count) =>
      coveredChance(evidenceFor(names.slice(0, count).join(' '), passages)),
    );
    expect(forty).toBeCloseTo(five as number, 6);
  });

  it('refuses a question of several words if pages share only one of them', () => {
    const passages = [passage('a', ['Zebra'], 'A zebra, the zebra, many a zebra.', 0.9)];
    expect(choose('paint the zebra purple', passages).tier).toBe('none');
    expect(choose('paint the zebra', passages).tier).not.toBe('none');
  });

  it('says nothing with certainty if most of the subject is missing in the section and its headings', () => {
    const content = 'Domains can never be transferred.';
    const question = 'how do I transfer enterprise domains between organizations on a free plan?';
    const elsewhere = passage('b', ['Plans'], 'Organizations on a free plan.', 0.05);
    expect(choose(question, [passage('a', ['Domains'], content, 0.95), elsewhere]).tier).not.toBe(
      'answer',
    );
  });

  it('quotes the section that contains the identifier of the question, though another one has more of its words', () => {
    const passages = [
      passage(
        'serve',
        ['Serve a bundle'],
        'What a bundle is for: a folder of plain files that any cache or server can serve.',
        0.7,
      ),
      passage(
        'serve',
        ['Options'],
        `${FILLER}\n\n- \`BUNDLE_CACHE\`: the folder for unpacked bundles`,
        0.4,
      ),
    ];
    expect(first('what is BUNDLE_CACHE for?', passages)).toContain(
      'the folder for unpacked bundles',
    );
  });

  it('quotes the section of a function or an error that the question names, and never refuses it', () => {
    const passages = ['ZB09000', 'ZB04000', 'paintStripes'].map((name, at) =>
      passage('a', [`Part ${at}`], `\`${name}\` is for the herd.`, 0.7 - at / 10),
    );
    expect(first('what does the failure code ZB04000 mean?', passages)).toContain('ZB04000');
    const unlike = 'after the holidays paintStripes suddenly vanished without warning anywhere';
    const chosen = choose(unlike, passages);
    expect(chosen.tier).toBe('nearest');
    expect(chosen.quotes[0]?.markdown).toContain('paintStripes');
    expect(choose(unlike.replace('paintStripes', 'everything'), passages).tier).toBe('none');
  });

  it('says nothing with certainty by one word, unless it is the name of what is asked', () => {
    const fast = [passage('a', ['Fast failures'], 'To fail fast, stop at the first fault.', 0.97)];
    const zebras = [passage('a', ['Zebras'], 'Zebras have stripes.', 0.97)];
    expect(choose('why is it so fast?', fast).tier).toBe('nearest');
    expect(choose('zebras', zebras).tier).toBe('answer');
  });

  it('quotes steps for a question about how, and prose for a question about what', () => {
    const steps = passage(
      'a',
      ['Webhooks'],
      '1. Open the webhooks page.\n2. Add an endpoint for the webhook.',
      0.5,
    );
    const prose = passage(
      'b',
      ['Webhooks'],
      'A webhook is a request that the platform sends to your endpoint when something happens.',
      0.5,
    );
    expect(first('how do I add a webhook endpoint?', [prose, steps])).toMatch(/^1\. Open/);
    expect(first('what is a webhook?', [steps, prose])).toMatch(/^A webhook is/);
  });

  it('quotes a section for each part of a question with two parts', () => {
    const passages = [
      passage('import', ['Steps'], 'To import a collection, choose Import and pick the file.', 0.6),
      passage('other', ['Colors'], 'Collections may have colors.', 0.5),
      passage('limits', ['Payout'], 'The smallest payout amount is ten euros.', 0.3),
    ];
    const quotes = quotesFor(
      'how do I import a collection, and what is the smallest payout amount?',
      passages,
    );
    expect(quotes.map((quote) => quote.markdown).join('\n')).toContain('ten euros');
  });

  it('quotes the same text once', () => {
    const text =
      'To invite a user without a mail server, copy the invite link and send it yourself.';
    const passages = [
      passage('community', ['Invite'], text, 0.6),
      passage('enterprise', ['Invite'], `${text} It works there too.`, 0.59),
    ];
    expect(quotesFor('invite a user without a mail server', passages)).toHaveLength(1);
  });

  it('prefers an explanation over a list of fields that has every word', () => {
    const fields =
      '- `key` (`string`): The key.\n- `rotate` (`boolean`): Whether to rotate the key.\n- `id` (`string`): The key id.';
    const passages = [
      passage('api', ['Responses'], fields, 0.5),
      passage(
        'guide',
        ['Rotate a key'],
        'You rotate a key under Settings, where the old one stays valid for a day.',
        0.5,
      ),
    ];
    expect(first('where do I rotate a key?', passages)).toContain('under Settings');
  });

  it('is less confident if no passage has a name from the question', () => {
    const passages = [
      passage('mac', ['Install'], 'Install the app on your Mac with the installer.', 0.5),
    ];
    expect(
      coveredChance(evidenceFor('How do I install Photoshop on my Mac?', passages)),
    ).toBeLessThan(coveredChance(evidenceFor('How do I install the app on my Mac?', passages)));
  });

  it('ignores function words in other languages', () => {
    const german = [
      passage('a', ['Rechnungen'], 'Ich kann die Rechnung wie gewohnt mit der Post bekommen.', 0.5),
      passage('b', ['Schlüssel'], 'Einen Schlüssel erneuern Sie unter Einstellungen.', 0.5),
    ];
    expect(first('Wie kann ich einen Schlüssel erneuern?', german)).toContain(
      'unter Einstellungen',
    );
    const chinese = [
      passage('c', ['账单'], '如何付款：我们每月开具账单。可以用卡。', 0.5),
      passage('d', ['密钥'], '在设置中轮换密钥。旧密钥一天内有效。', 0.5),
    ];
    expect(first('如何轮换密钥？', chinese)).toContain('在设置中轮换密钥');
  });

  it('answers an API question with the operation: route, key fields, and request', () => {
    const fields = Array.from(
      { length: 20 },
      (_, index) => `- \`field${index}\` (\`string\`): Field ${index}.`,
    ).join('\n');
    const passages = [
      passage(
        'guide',
        ['Orders'],
        'Orders are made when somebody buys a product. Refund an order in the dashboard.',
        0.5,
      ),
      passage(
        'api/refund',
        [],
        `POST /v1/orders/{id}/refund\n\nRefund an order\n\n\`\`\`bash\ncurl -X POST refund\n\`\`\`\n\n${fields}`,
        0.5,
      ),
      passage(
        'api/refund',
        ['Body'],
        'Content type: `application/json`\n\n- `reason` (`string`, required): Why.',
        0.4,
      ),
      passage('api/refund', ['Responses'], `200: Refunded\n\n${fields}`, 0.4),
    ];
    for (const question of [
      'how do I refund an order through the API?',
      'POST /v1/orders/{id}/refund',
    ]) {
      const quoted = first(question, passages);
      expect(quoted).toMatch(/^`POST \/v1\/orders\/\{id\}\/refund`\n\nRefund an order\n\n- /);
      expect(quoted).toContain('- `reason` (`string`, required): Why.');
      expect(quoted).toContain('```bash\ncurl -X POST refund\n```');
      expect(quoted).not.toContain('field19');
    }
  });

  it('quotes the solution of a problem instead of the stack trace from the question', () => {
    const stack =
      'ZebraError: no stripes\n    at paint (zebra.js:12:3)\n    at main (zebra.js:40:1)';
    const question = `my zebra fails with this error:\n${stack}`;
    const account = [
      passage(
        'help',
        ['No stripes', 'Symptoms'],
        `The zebra fails:\n\n\`\`\`\n${stack}\n\`\`\``,
        0.6,
      ),
      passage('help', ['No stripes', 'Solution'], 'Paint it once more.', 0.58),
    ];
    expect(first(question, account)).toContain('Paint it once more.');
    expect(first(question, account)).not.toContain('zebra.js:12:3');
    const inline = `**Problem:** The zebra fails with an error.\n\n${FILLER.repeat(25)}\n\n**Solution:** Paint it.\n\n**Problem:** Other.`;
    expect(first(question, [passage('help', ['Zebra errors'], inline, 0.6)])).toContain(
      '**Solution:** Paint it.',
    );
  });

  it('is confident about a section only if its title or heading matches the question', () => {
    const tierOf = (heading: string) =>
      choose('How do I rename a zebra?', [
        passage('zebras', [heading], 'Open its settings and change the name.', 0.2),
        passage('horses', ['Feed a horse'], 'A horse is renamed by its owner, a zebra too.', 0.2),
      ]).tier;
    expect(
      ['Rename a zebra', 'Rename', 'What is a zebra? How do I rename it?'].map(tierOf),
    ).toEqual(['answer', 'answer', 'answer']);
    expect(tierOf('Its name')).toBe('nearest');
  });

  it('shows what only comes closest by two pages if both are likely', () => {
    const { tier, quotes } = choose('which zebra settings does a replica have after holidays?', [
      {
        ...passage(
          'zebra',
          ['Replicas'],
          `${FILLER.repeat(5)}A replica has zebra settings of its own.`,
          0.2,
        ),
        share: 0.6,
      },
      {
        ...passage(
          'zebra',
          ['Replica settings'],
          'The zebra settings of a replica are stripes and speed.',
          0.2,
        ),
        share: 0.6,
      },
      {
        ...passage(
          'horse',
          ['Replicas'],
          `- A mane\n- A replica of the horse has settings like those of a zebra.\n- A tail`,
          0.15,
        ),
        share: 0.5,
      },
      {
        ...passage('donkey', ['Holidays'], 'On holidays the donkey has other settings.', 0.1),
        share: 0.08,
      },
    ]);
    expect(tier).toBe('nearest');
    expect(new Set(quotes.map((quote) => quote.passage.path))).toEqual(new Set(['zebra', 'horse']));
    for (const { markdown } of quotes) expect(markdown.length).toBeLessThan(500);
  });

  it('shows more of what is likely, and says nothing with certainty that may be the opposite', () => {
    const section = `The zebra is fed at noon. ${FILLER.repeat(4)}`;
    const ask = (question: string, heading: string, share: number) =>
      choose(question, [
        passage('zebras', [heading], section, share),
        passage('horses', ['Graze'], 'A zebra and a horse graze together at noon.', 0.1),
      ]);
    const question = 'when is the zebra fed?';
    expect(ask(question, 'Feeding a zebra', 0.6).tier).toBe('answer');
    expect(ask('when is the zebra not fed?', 'Feeding a zebra', 0.6).tier).toBe('nearest');
    expect(ask(question, 'Avoiding that a zebra is fed', 0.6).tier).toBe('nearest');
    expect(ask('when is the zebra fed, to avoid it?', 'Avoid it', 0.6).tier).toBe('answer');
    const [likely] = ask('when is the zebra not fed?', 'Feeding a zebra', 0.6).quotes;
    expect(likely?.markdown.length).toBeGreaterThan(280);
    const [unlikely] = ask('when is the zebra of my aunt in Peru fed?', 'Days', 0.02).quotes;
    expect(unlikely?.markdown ?? '').not.toContain(FILLER.trim().repeat(2));
  });

  it('quotes up to four sections that may answer, in part, and one that surely does', () => {
    const kinds = 'broad narrow pale dark curved straight dotted broken'.split(' ');
    const of = (length: number) =>
      kinds.map((kind) => {
        const content = `${kind} coats: the zebra has stripes that are ${kind}, ${kind}ish or ${kind}est. ${`${kind} `.repeat(length)}`;
        return passage('zebra', ['Which stripes does a zebra have?'], content, 0.6);
      });
    const question = 'which stripes does a zebra have?';
    for (const length of [3, 40, 95, 900]) {
      const quotes = quotesFor(question, of(length));
      expect(quotes.length).toBeLessThanOrEqual(4);
      const total = quotes.reduce((sum, { markdown }) => sum + markdown.length, 0);
      expect(total).toBeLessThanOrEqual(1500);
    }
    const other = passage('horse', ['Manes'], 'A horse has no stripes.', 0.1);
    expect(quotesFor(question, [...of(3).slice(0, 1), other])).toHaveLength(1);
  });

  it('highlights the sentence that answers, and nothing in code', () => {
    const of = (content: string) =>
      quotesFor('how long is a zebra session valid?', [
        passage('a', ['Sessions'], content, 0.6),
      ])[0];
    expect(
      of('Sign in first. A zebra session is valid for *seven* days. Then it ends.')?.highlight,
    ).toBe('A zebra session is valid for *seven* days.');
    expect(of('```sh\nzebra session --valid\n```')?.highlight).toBe('');
  });

  it('explains a subject with the page that introduces it', () => {
    const passages = [
      passage('meters', ['Creating a meter'], '1. Open the meters page.\n2. Create a meter.', 0.6),
      passage(
        'meters',
        [],
        'Meters add up the events that customers cause, so that usage can be billed.',
        0.55,
      ),
    ];
    for (const question of ['meters', 'what is a meter?'])
      expect(first(question, passages)).toMatch(/^Meters add up/);
  });

  it('solves a problem from troubleshooting, and answers "without" from the section without it', () => {
    const passages = [
      passage(
        'setup',
        ['Add endpoints'],
        '1. Add the endpoint pages to the navigation.\n2. Publish the pages.',
        0.6,
      ),
      passage(
        'troubleshooting',
        ['Endpoint pages are empty'],
        'The description of the endpoint could not be read.',
        0.55,
      ),
    ];
    expect(first('all my endpoint pages stay empty', passages)).toContain('could not be read');
    const mail = [
      passage(
        'invite',
        ['Invite', 'With mail'],
        'To invite a colleague, send the invitation by mail.',
        0.6,
      ),
      passage('invite', ['Invite', 'Without mail'], 'To invite a colleague, copy the link.', 0.58),
    ];
    expect(first('invite a colleague when we have no mail', mail)).toContain('copy the link');
  });

  it('does not confuse a part of a name with the name', () => {
    const words = new QuestionWords('How do I merge duplicate contacts in HubSpot?');
    expect(words.missingNames(words.found('Merge duplicate contacts at the hub.'))).toBe(1);
    expect(words.missingNames(words.found('Merge duplicate contacts in HubSpot.'))).toBe(0);
  });
});
