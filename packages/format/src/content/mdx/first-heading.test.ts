import { expect, test } from 'vitest';
import { firstHeading } from './first-heading.ts';

test.each([
  ['# Title\n\nText', 'Title', 1],
  [
    '\n<!-- # No -->\n![Logo](a.png)\n\n# The `docent` **command** {#cli} #\n',
    'The docent command',
    5,
  ],
  ['Title\n=====\n', 'Title', 1],
  ['```md\n# No\n```\n# Yes', 'Yes', 4],
  [
    'import X from "/x.mdx"\n\n{/*\n# No\n*/}\n\n# [Linked](https://example.com) <Badge>new</Badge>',
    'Linked new',
    7,
  ],
])('the first heading of level 1 is the title: %j', (body, title, line) => {
  expect(firstHeading(body)).toEqual({ title, line });
});

test.each(['## Section\n\n# Later', 'Text', '# {name}', '####### No', '```\n# Code'])(
  '%j has no title',
  (body) => {
    expect(firstHeading(body)).toBeUndefined();
  },
);
