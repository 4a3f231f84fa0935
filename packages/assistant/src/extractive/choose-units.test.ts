import { describe, expect, it } from 'vitest';
import { choose, FILLER, first, passage, quotesFor } from '../../../../test/support/quotes.ts';

describe('chooseUnits', () => {
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
    expect(of(`server.ts\n\n${long}`)).not.toMatch(/\*\*After\*\*$|server\.ts$/);
    const list = `- ${FILLER.repeat(34)}`;
    expect(of(list)).not.toMatch(/\*\*After\*\*$/);
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

  it('ends neither with an announcement nor with a label whose content is omitted', () => {
    const long = `${FILLER.repeat(12)}\n\nThe zebra error can be solved in these ways:\n\n${'- Restart everything that runs on the machine.\n'.repeat(60)}`;
    expect(first('zebra error', [passage('z', ['Errors'], long, 0.6)])).toContain(
      '- Restart everything',
    );
    const tabs = `The zebra is set so:\n\n**npm**\n\n\`\`\`sh\n${'npm zebra\n'.repeat(300)}\`\`\``;
    expect(first('zebra', [passage('z', ['Install'], tabs, 0.6)])).not.toMatch(/\*\*npm\*\*$/);
  });

  it('quotes those lines of long code that answer best together', () => {
    const lines = [...Array(30)].map((_, at) => `call(${at}, "horses and other animals");`);
    lines[3] = 'feed("zebra");';
    lines[22] = '// The zebra is fed at noon';
    lines[24] = 'feed("zebra", noon);';
    const code = `\`\`\`ts\n${lines.join('\n')}\n\`\`\``;
    const [quote] = quotesFor('how do I feed the zebra at noon?', [
      passage('zebras', ['Feed the zebra at noon'], code, 0.6),
    ]);
    expect(quote?.markdown).toContain('feed("zebra", noon);');
    expect(quote?.markdown).toMatch(/^```ts\n…\n/);
    expect(quote?.markdown.length).toBeLessThan(700);
  });

  it('quotes code in full unless it is long', () => {
    const of = (lines: number) => {
      const code = `\`\`\`nginx\n${'proxy_set_header Host zebra;\n'.repeat(lines)}\`\`\``;
      const content = `${FILLER.repeat(20)}\n\nThe zebra:\n\n${code}`;
      return { code, quoted: first('zebra proxy', [passage('n', ['Zebra'], content, 0.6)]) };
    };
    const [short, long] = [of(8), of(60)];
    expect(short.quoted).toContain(short.code);
    expect(long.quoted).toMatch(/Host zebra;\n…\n```$/);
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

  it('omits images, also inside links, but keeps them in quoted code', () => {
    const linked = '[![Alone](/alone.png)](/large)';
    const content = `Write it like this: ![A zebra](/zebra.png)\n\n${linked}\n\n\`\`\`md\n![A zebra](/zebra.png)\n\`\`\``;
    const quoted = first('How do I show a zebra?', [
      passage('images', ['Show a zebra'], content, 0.6),
    ]);
    expect(quoted).toBe('Write it like this: \n\n```md\n![A zebra](/zebra.png)\n```');
  });

  it('quotes what a label and an announcement stand for, not these alone', () => {
    const of = (content: string) =>
      choose('which zebra settings does a replica of my aunt have after holidays?', [
        { ...passage('zebra', ['Replicas'], content, 0.02), share: 0.2 },
        { ...passage('horse', ['Holidays'], 'A horse has other settings.', 0.01), share: 0.1 },
      ]).quotes[0]?.markdown;
    const code = `\`\`\`sh\n${'zebra --replica\n'.repeat(60)}\`\`\``;
    expect(of(`The zebra settings of a replica:\n\n${code}\n\nA zebra has stripes.`)).toMatch(
      /replica:\n\n```sh\nzebra --replica\n/,
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

  it('quotes more of a section where all quotes together are short', () => {
    const question = 'when does a zebra sleep?';
    const of = (letters: number) =>
      ['A zebra sleeps at night.', 'x'.repeat(letters), 'y'.repeat(letters)].join('\n\n');
    const quoted = (letters: number) =>
      first(question, [passage('a', ['Zebras'], of(letters), 0.6)]);
    expect(quoted(200)).toBe(of(200));
    expect(quoted(700)).not.toBe(of(700));
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

  it('quotes the requested items of a long list of settings', () => {
    const settings = Array.from({ length: 40 }, (_, index) => `- \`setting${index}\`: ${FILLER}`);
    settings[20] = '- `zebraLimit`: How many zebras there may be.';
    const quoted = first('what is the limit of zebras?', [
      passage('s', ['Settings'], settings.join('\n'), 0.6),
    ]);
    expect(quoted).toContain('`zebraLimit`');
    expect(quoted).not.toContain('setting39');
  });
});
