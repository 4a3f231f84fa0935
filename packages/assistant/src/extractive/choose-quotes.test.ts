import { describe, expect, it } from 'vitest';
import type { Passage } from '../chat/chat-request.ts';
import { QuestionWords } from '../retrieve/question-words.ts';
import { answerFrames } from './answer-frames.ts';
import { answerQuotes, chooseQuotes, rankPassages } from './choose-quotes.ts';
import { answerEvidence, coveredChance } from './confidence.ts';
import { saysSomething } from './quote-candidate.ts';

const passage = (path: string, headings: string[], content: string, score: number): Passage => ({
  path,
  content,
  url: `https://docs.example.com/${path}#${headings.join('-')}`,
  headings,
  metadata: { title: `Page ${path}`, score: score + 0.35 },
  share: score,
});
const choose = (question: string, passages: Passage[]) =>
  chooseQuotes(question, new QuestionWords(question), passages, answerFrames('en'));
const evidenceFor = (question: string, passages: Passage[]) => {
  const words = new QuestionWords(question);
  return answerEvidence(words, rankPassages(question, words, passages), passages);
};
const quotesFor = (question: string, passages: Passage[]) => {
  const words = new QuestionWords(question);
  return answerQuotes(
    question,
    words,
    rankPassages(question, words, passages),
    passages,
    answerFrames('en'),
  );
};
const first = (question: string, passages: Passage[]) =>
  quotesFor(question, passages)[0]?.markdown ?? '';

const FILLER = 'Some words that say little about anything in particular stand here. ';

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

  it('begins with the code that the quoted text refers to, and omits thematic breaks', () => {
    const content = [
      ...Array.from({ length: 40 }, () => FILLER),
      '```ts\nrun(payload.timezone);\n```',
      'You can see from the comments that the payload has the timezone of the schedule.',
      '---',
    ].join('\n\n');
    const quoted = first('which timezone does the payload of the schedule have?', [
      passage('a', ['Schedules'], content, 0.6),
    ]);
    expect(quoted).toMatch(/```ts\nrun\(payload\.timezone\);\n```\n\nYou can see/);
    expect(quoted).not.toContain('---');
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

  it('continues an introduction that only announces the entries below it', () => {
    const content = [
      'If pushes to your repository trigger no deployment, check the following possible problems.',
      '**Verify the app installation**\n\nCheck that the repository has the app.',
      '**Check the branch of deployments**\n\nSelect the branch in the settings.',
    ].join('\n\n');
    const quoted = first('pushes to my repository trigger no deployment any more', [
      passage('git', ['Pushes'], content, 0.6),
    ]);
    expect(quoted).toBe(content);
  });

  it('ends before the label of a tab whose content is another entry', () => {
    const content = [
      '**Monitor transactions of programs**\n\nTrack the transactions that interact with your programs.',
      '**Accounts**',
      '**Monitor transactions of accounts**\n\nTrack the transactions that change an account.',
    ].join('\n\n');
    const quoted = first('how do I track transactions that interact with my programs?', [
      passage('m', ['Filters'], content, 0.6),
    ]);
    expect(quoted).toMatch(/interact with your programs\.$/);
  });

  it('quotes a short section with its neighbors, but alone if its heading asks the question', () => {
    const part = {
      headings: ['Backups'],
      url: 'https://docs.example.com/backups#backups',
      content:
        '#### Files\n\nCopy the folder.\n\n#### Database\n\nDump the database every night with `dump`.',
    };
    const of = (heading: string) => [
      {
        ...passage(
          'backups',
          ['Backups', heading],
          'Dump the database every night with `dump`.',
          0.6,
        ),
        part,
      },
    ];
    const [quote] = quotesFor('how do I dump the database every night?', of('Database'));
    expect(quote?.markdown).toBe(part.content);
    expect(quote?.passage).toMatchObject({ headings: ['Backups'], url: part.url });
    expect(
      first('how do I dump the database every night?', of('How often do I dump the database?')),
    ).toBe('Dump the database every night with `dump`.');
    expect(first('how can I dump the database?', of('Dump the database'))).toBe(
      'Dump the database every night with `dump`.',
    );
  });

  it('keeps a remark together with the long code that it is about', () => {
    const code = `\`\`\`ts\n${'allow(origin);\n'.repeat(150)}\`\`\``;
    const content = `${FILLER.repeat(20)}\n\n> **Tip:** Never allow all origins of a browser.\n\n${code}`;
    const quoted = first('how do I allow the origins of a browser?', [
      passage('a', ['Origins'], content, 0.6),
    ]);
    expect(quoted).toContain(
      '> **Tip:** Never allow all origins of a browser.\n\n```ts\nallow(origin);',
    );
    expect(quoted.match(/```/g)).toHaveLength(2);
  });

  it('begins a long section with its beginning, and marks what is left out before the best part', () => {
    const herd = `\`\`\`json\n${'["stripes"]\n'.repeat(80)}\`\`\``;
    const content = `Zebras are striped.\n\nThe herd:\n\n${herd}\n\n${herd}\n\nA zebra sleeps in a stable at night.`;
    const quoted = first('where does a zebra sleep at night?', [
      passage('a', ['Zebras'], content, 0.6),
    ]);
    expect(quoted).toMatch(/^Zebras are striped\.\n\n…\n\n/);
    expect(quoted).toMatch(/A zebra sleeps in a stable at night\.$/);
  });

  it('quotes with a sentence the code of the tab that it announces, not the label alone', () => {
    const content = `${FILLER.repeat(15)}\n\nFeed the zebra in a stable:\n\n**TypeScript**\n\n\`\`\`ts\nfeed(zebra);\n\`\`\``;
    expect(
      first('the zebra fails to feed in a stable', [passage('a', ['Zebras'], content, 0.6)]),
    ).toMatch(/stable:\n\n\*\*TypeScript\*\*\n\n```ts\nfeed\(zebra\);\n```$/);
  });

  it('never ends with the label of a tab if its content is omitted', () => {
    const long = `\`\`\`ts\n${'allow(origin);\n'.repeat(200)}\`\`\``;
    const short = '```ts\nallow(origin);\n```';
    const content = `${FILLER.repeat(20)}\n\nAllow the origins of a browser.\n\n${short}\n\n**After**\n\n`;
    const of = (more: string) =>
      first('how do I allow the origins of a browser?', [
        passage('a', ['Origins'], `${content}${more}`, 0.6),
      ]);
    expect(of(`server.ts\n\n${long}`)).toMatch(/allow\(origin\);\n```$/);
    const list = `- ${FILLER.repeat(34)}`;
    expect(of(list)).toMatch(/allow\(origin\);\n```$/);
  });

  it('quotes as much as fits of the requested step if the step is too long', () => {
    const code = `\`\`\`ts\n${'allow(origin);\n'.repeat(20)}\`\`\``;
    const steps = `1. **Install it**\n\n   Run the command.\n2. **Allow the origins**\n\n   Write a file for the origins:\n\n   ${code.replaceAll('\n', '\n   ')}\n\n   ${FILLER.repeat(50)}`;
    const quoted = first('how do I allow the origins of a browser?', [
      passage('a', ['Origins'], steps, 0.6),
    ]);
    expect(quoted).toContain('Write a file for the origins:\n\n   ```ts\n   allow(origin);');
    expect(quoted).toMatch(/``` …$/);
  });

  it('extracts one answer from a list of questions and answers, with its question', () => {
    const faq = [
      '**What is the retry policy?**\n\nThree attempts, one minute apart.',
      '**Is an event delivered exactly once?**\n\nNo, it may arrive twice.\n\nCompare ids to find duplicates.',
      '**Are failed transactions sent?**\n\nOnly in raw form.',
    ].join('\n\n');
    const [quote] = quotesFor('is an event delivered once?', [
      passage('faq', ['Retries'], faq, 0.6),
    ]);
    expect(quote?.markdown).toBe(
      '**Is an event delivered exactly once?**\n\nNo, it may arrive twice.\n\nCompare ids to find duplicates.',
    );
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

  it('ends neither with an announcement nor with a label whose content is omitted', () => {
    const long = `${FILLER.repeat(12)}\n\nThe zebra error can be solved in these ways:\n\n${'- Restart everything that runs on the machine.\n'.repeat(60)}`;
    expect(first('zebra error', [passage('z', ['Errors'], long, 0.6)])).toContain(
      '- Restart everything',
    );
    const tabs = `The zebra is set so:\n\n**npm**\n\n\`\`\`sh\n${'npm zebra\n'.repeat(300)}\`\`\``;
    expect(first('zebra', [passage('z', ['Install'], tabs, 0.6)])).not.toMatch(/\*\*npm\*\*$/);
  });

  it('quotes code in full unless it is very long', () => {
    const code = `\`\`\`nginx\n${'proxy_set_header Host zebra;\n'.repeat(25)}\`\`\``;
    const quoted = first('zebra proxy', [
      passage('n', ['Configuration'], `${FILLER.repeat(20)}\n\n${code}`, 0.6),
    ]);
    expect(quoted).toContain(code);
  });

  it('shows a short table in full, regardless of its number of rows', () => {
    const rows = Array.from({ length: 12 }, (_, row) => `| \`$name${row}\` | number ${row} |`).join(
      '\n',
    );
    const table = `| Name | Meaning |\n| --- | --- |\n${rows}`;
    expect(first('which variable has number 3?', [passage('v', ['Variables'], table, 0.6)])).toBe(
      table,
    );
  });

  it('marks the omitted rows of a long table and keeps a continued row with the one before it', () => {
    const filler = Array.from({ length: 30 }, (_, at) => `| level ${at} | herd | ${FILLER} |`);
    const rows = [
      ...filler.slice(0, 9),
      '| level 9 | horse | plain |',
      '| | zebra | striped |',
      ...filler.slice(10),
    ];
    const table = ['| Level | Animal | Fur |', '| --- | --- | --- |', ...rows].join('\n');
    const shown = ['| … |', '| level 9 | horse | plain |', '| | zebra | striped |', '| … |'].join(
      '\n',
    );
    expect(first('how striped is a zebra?', [passage('v', ['Levels'], table, 0.6)])).toBe(
      `${table.split('\n').slice(0, 2).join('\n')}\n${shown}`,
    );
  });

  it('keeps a table inside a callout', () => {
    const rows = Array.from(
      { length: 60 },
      (_, row) => `> | \`$name${row}\` | a variable of number ${row} |`,
    ).join('\n');
    const callout = `> **Note:** Variables have values.\n>\n> | Name | Meaning |\n> | --- | --- |\n${rows}`;
    const quoted = first('which variable has number 33?', [
      passage('v', ['Variables'], callout, 0.6),
    ]);
    expect(quoted).toContain('> | Name | Meaning |\n> | --- | --- |\n');
    expect(quoted).toContain('> | `$name33` |');
    for (const line of quoted.split('\n')) expect(line).toMatch(/^>/);
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

  it('shows code in the language that the question names', () => {
    const code =
      '```python\nzebra.run()\n```\n\n```typescript\nawait zebra.run();\n```\n\n```go\nzebra.Run()\n```';
    const quoted = first('how do I run the zebra in python?', [
      passage('z', ['Run the zebra'], `Run it so:\n\n${code}`, 0.6),
    ]);
    expect(quoted).toContain('```python');
    expect(quoted).not.toContain('```go');
    expect(
      first('how do I run the zebra?', [passage('z', ['Run the zebra'], code, 0.6)]),
    ).toContain('```go');
  });

  it('includes every step of a long procedure, with the most relevant steps in full', () => {
    const steps = Array.from(
      { length: 8 },
      (_, index) => `${index + 1}. **Part ${index}**\n\n   ${FILLER.repeat(7)}`,
    );
    steps[5] = '6. **Paint the zebra**\n\n   Use black paint.';
    const quoted = first('how do I paint the zebra?', [
      passage('z', ['Build a zebra'], steps.join('\n\n'), 0.6),
    ]);
    for (const part of ['1. **Part 0**', '8. **Part 7**', 'Use black paint.'])
      expect(quoted).toContain(part);
    expect(quoted.length).toBeLessThan(2600);
  });

  it('omits tips and notes from a procedure that is too long with them', () => {
    const tip = `\n   > **Tip:** ${FILLER.repeat(30)}\n   > ${FILLER.repeat(8)}\n`;
    const step = (number: number, inside: string) =>
      `${number}. **Part ${number}**\n${inside}\n   \`\`\`bash\n   zebra build --part ${number}\n   > shown\n   \`\`\`\n`;
    const steps = [step(1, tip), step(2, ''), step(3, '')].join('\n');
    const quoted = first('how do I build a zebra?', [passage('z', ['Build a zebra'], steps, 0.6)]);
    expect(quoted).toContain('zebra build --part 1\n   > shown');
    expect(quoted).not.toContain('Tip');
    expect(quoted).not.toContain('…');
  });

  it('quotes the steps for a question how to do something, though the section begins with more', () => {
    const steps = [1, 2, 3].map(
      (at) => `${at}. Paint part ${at}.\n\n   \`\`\`sh\n   ${'paint '.repeat(25)}\n   \`\`\``,
    );
    const content = `A zebra has parts. ${FILLER.repeat(4)}\n\n${steps.join('\n')}\n\n> **Note:** A zebra is an animal that you paint. ${FILLER}`;
    const quoted = first('how do I paint a zebra?', [passage('z', ['Paint'], content, 0.6)]);
    for (const at of [1, 2, 3]) expect(quoted).toContain(`${at}. Paint part ${at}.`);
    expect(quoted.match(/paint paint/g)?.length).toBeGreaterThan(2);
  });

  it('names every step of a procedure by its first sentence if even their paragraphs are too long', () => {
    const steps = ['Open', 'Choose', 'Paint', 'Save'].map(
      (verb, at) => `${at + 1}. ${verb} the zebra. ${FILLER.repeat(6)}`,
    );
    const quoted = first('how do I paint the zebra?', [
      passage('z', ['Build a zebra'], steps.join('\n'), 0.6),
    ]);
    for (const verb of ['1. Open', '2. Choose', '3. Paint', '4. Save'])
      expect(quoted).toContain(`${verb} the zebra.`);
    expect(quoted).toContain('…');
  });

  it('reports how many steps it omits', () => {
    const steps = Array.from({ length: 30 }, (_, index) => `${index + 1}. ${FILLER.repeat(3)}`);
    const quoted = first('how do I build a zebra?', [
      passage('z', ['Build a zebra'], steps.join('\n'), 0.6),
    ]);
    expect(quoted).toMatch(/^1\. Some words/);
    expect(quoted).toMatch(/\n\n… more steps on the page: \d+$/);
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

  it('omits images, also inside links, but keeps them in quoted code', () => {
    const linked = '[![Alone](/alone.png)](/large)';
    const content = `Write it like this: ![A zebra](/zebra.png)\n\n${linked}\n\n\`\`\`md\n![A zebra](/zebra.png)\n\`\`\``;
    const quoted = first('How do I show a zebra?', [
      passage('images', ['Show a zebra'], content, 0.6),
    ]);
    expect(quoted).toBe('Write it like this: \n\n```md\n![A zebra](/zebra.png)\n```');
  });

  it('shows what only comes closest by two pages if both are likely, then another section', () => {
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
    expect(quotes.map((quote) => quote.passage.path)).toEqual(['zebra', 'horse', 'zebra']);
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
    const [likely] = ask('when is the zebra not fed?', 'Feeding a zebra', 0.6).quotes;
    expect(likely?.markdown.length).toBeGreaterThan(280);
    const [unlikely] = ask('when is the zebra of my aunt in Peru fed?', 'Days', 0.02).quotes;
    expect(unlikely?.markdown ?? '').not.toContain(FILLER.trim().repeat(2));
  });

  it('quotes what a label and an announcement stand for, not these alone', () => {
    const of = (content: string) =>
      choose('which zebra settings does a replica of my aunt have after holidays?', [
        { ...passage('zebra', ['Replicas'], content, 0.02), share: 0.2 },
        { ...passage('horse', ['Holidays'], 'A horse has other settings.', 0.01), share: 0.1 },
      ]).quotes[0]?.markdown;
    const code = `\`\`\`sh\n${'zebra --replica\n'.repeat(60)}\`\`\``;
    expect(of(`The zebra settings of a replica:\n\n${code}\n\nA zebra has stripes.`)).toBe(
      'A zebra has stripes.',
    );
    const solution = 'The settings of the zebra are lost.\n\n**Solution**\n\nPaint it.';
    expect(of(solution)).toBe(solution);
  });

  it('shows short steps whole, and with a sentence what it announces, or not the announcement', () => {
    const nearest = (content: string) => {
      const { tier, quotes } = choose('which zebra settings does a replica have after holidays?', [
        { ...passage('zebra', ['Replicas'], content, 0.2), share: 0.6 },
        { ...passage('horse', ['Holidays'], 'A horse has other settings.', 0.1), share: 0.3 },
      ]);
      expect(tier).toBe('nearest');
      return quotes[0]?.markdown;
    };
    const steps = '1. Open the menu.\n2. Choose the zebra settings of the replica.\n3. Save.';
    expect(nearest(steps)).toBe(steps);
    const announced = 'The zebra settings of a replica are:\n\n- Stripes\n- Speed';
    expect(nearest(announced)).toBe(announced);
    const code = `\`\`\`sh\n${'zebra --replica\n'.repeat(60)}\`\`\``;
    expect(nearest(`The zebra settings of a replica are free. They are these:\n\n${code}`)).toMatch(
      /They are these:\n\n```sh\nzebra/,
    );
  });

  it('quotes up to three sections that may answer, in part, and one that surely does', () => {
    const kinds = 'broad narrow pale dark curved straight dotted broken'.split(' ');
    const of = (length: number) =>
      kinds.map((kind) => {
        const content = `${kind} coats: the zebra has stripes that are ${kind}, ${kind}ish or ${kind}est. ${`${kind} `.repeat(length)}`;
        return passage('zebra', ['Which stripes does a zebra have?'], content, 0.6);
      });
    const question = 'which stripes does a zebra have?';
    for (const length of [3, 40, 95, 900]) {
      const quotes = quotesFor(question, of(length));
      expect(quotes).toHaveLength(3);
      const total = quotes.reduce((sum, { markdown }) => sum + markdown.length, 0);
      expect(total).toBeLessThanOrEqual(1300);
    }
    const other = passage('horse', ['Manes'], 'A horse has no stripes.', 0.1);
    expect(quotesFor(question, [...of(3).slice(0, 1), other])).toHaveLength(1);
  });

  it('quotes more of a section where all quotes together are short', () => {
    const question = 'when does a zebra sleep?';
    const of = (letters: number) =>
      ['A zebra sleeps at night.', 'x'.repeat(letters), 'y'.repeat(letters)].join('\n\n');
    const quoted = (letters: number) =>
      first(question, [passage('a', ['Zebras'], of(letters), 0.6)]);
    expect(quoted(360)).toBe(of(360));
    expect(quoted(500)).not.toBe(of(500));
  });

  it('says nothing by an announcement, a link, a label or names of steps alone', () => {
    for (const idle of [
      'Paint the stripes like this:',
      'For stripes, see [Zebra](/zebra).',
      'Read more about stripes [here][zebra].',
      '**Python**',
      '1. **Install** …\n2. **Paint** …',
    ])
      expect(saysSomething(idle)).toBe(false);
    for (const text of [
      'Stripes are 3 cm wide.',
      'Paint the stripes like this:\n\n```\npaint()\n```',
      'See [Zebra](/zebra). It has stripes.',
      '1. **Install** …\n2. Paint it.',
    ])
      expect(saysSomething(text)).toBe(true);
  });

  it('quotes of a section too long to be quoted the part that answers, with its beginning', () => {
    const parts = [
      'Zebras live in herds.',
      `${FILLER.repeat(4)}`,
      `- [A zebra at night](/night)\n- [Where a zebra sleeps](/sleep)`,
      `${FILLER.repeat(7)}`,
      'At night a zebra sleeps here:\n\n- In a stable',
      `${FILLER.repeat(6)}`,
    ];
    const quoted = first('where does a zebra sleep at night?', [
      passage('a', ['Zebras'], parts.join('\n\n'), 0.6),
    ]);
    expect(quoted).toMatch(/^Zebras live in herds\./);
    expect(quoted).toContain('At night a zebra sleeps here:\n\n- In a stable');
    expect(quoted).toContain('\n\n…\n\n');
    expect(quoted.length).toBeLessThan(900);
  });

  it('quotes an example in the first language of several, if the section is too long with all', () => {
    const tab = (name: string) => `**${name}**\n\n\`\`\`\n${`${name}.zebra()\n`.repeat(25)}\`\`\``;
    const content = `Run the zebra:\n\n${['Ruby', 'Rust', 'Perl'].map(tab).join('\n\n')}`;
    const quoted = first('how do I run the zebra?', [passage('z', ['Run it'], content, 0.6)]);
    expect(quoted).toContain('Ruby.zebra()');
    expect(quoted).not.toContain('Perl');
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

  it('quotes the requested items of a long list of settings', () => {
    const settings = Array.from({ length: 40 }, (_, index) => `- \`setting${index}\`: ${FILLER}`);
    settings[20] = '- `zebraLimit`: How many zebras there may be.';
    const quoted = first('what is the limit of zebras?', [
      passage('s', ['Settings'], settings.join('\n'), 0.6),
    ]);
    expect(quoted).toContain('`zebraLimit`');
    expect(quoted).not.toContain('setting39');
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
