import { describe, expect, it } from 'vitest';
import type { Passage } from '../chat/chat-request.ts';
import { joinPassages } from './join-passages.ts';

const passage = (path: string, headings: string[], content: string): Passage => ({
  path,
  content,
  url: `/${path}#${headings.at(-1) ?? ''}`,
  headings,
  metadata: { title: `Page ${path}`, score: 0.5 },
});
const step = (title: string, content: string) => passage('a', ['Set it up', title], content);

describe('joinPassages', () => {
  it('joins steps with separate headings into one list in their own order', () => {
    const [joined, ...others] = joinPassages(
      [
        step('Step 2: Start it', '```sh\nstart\n```'),
        step('Step 1: Install it', 'Run the installer.'),
      ],
      true,
    );
    expect(others).toEqual([]);
    expect(joined?.passage.headings).toEqual(['Set it up']);
    expect(joined?.passage.content).toBe(
      '1. **Install it**\n\n   Run the installer.\n\n2. **Start it**\n\n   ```sh\n   start\n   ```',
    );
    expect(joined?.place).toBe(0);
  });

  it('keeps passages apart if numbers have gaps, examples are numbered, or steps were not requested', () => {
    const gap = [step('1. Database', 'One.'), step('4. Access', 'Four.')];
    expect(joinPassages(gap, true)).toHaveLength(2);
    const examples = [
      passage('b', ['Examples', '1. A list'], 'One.'),
      passage('b', ['Examples', '2. A table'], 'Two.'),
    ];
    expect(joinPassages(examples, true)).toHaveLength(2);
    expect(joinPassages([step('Step 1', 'One.'), step('Step 2', 'Two.')], false)).toHaveLength(2);
  });

  it('joins an operation with its body, and with no other section of that name', () => {
    const joined = joinPassages(
      [
        passage('api', ['Body'], '- `name` (`string`)'),
        passage('api', [], 'POST /things\n\nMake a thing'),
        passage('guide', ['Body'], 'Text.'),
      ],
      true,
    );
    expect(
      joined.map(({ passage: { path }, isOperation, place }) => ({ path, isOperation, place })),
    ).toEqual([
      { path: 'api', isOperation: true, place: 0 },
      { path: 'guide', isOperation: false, place: 2 },
    ]);
    expect(joined[0]?.passage.content).toContain('- `name` (`string`)');
  });
});
