import { describe, expect, it } from 'vitest';
import { absoluteLinks, LinkCheck } from './answer-links.ts';

const whole = (markdown: string) =>
  absoluteLinks(markdown, 'https://docs.example.com', '/guides/keys');

it('links and images of a page become absolute URLs of the site', () => {
  expect(whole('See [a](/start), [b](#rotate) and ![c](/img/c.png "t").')).toBe(
    'See [a](https://docs.example.com/start), [b](https://docs.example.com/guides/keys#rotate) and ![c](https://docs.example.com/img/c.png "t").',
  );
  expect(whole('[a](</with space>)\n\n[home](/)')).toBe(
    '[a](<https://docs.example.com/with space>)\n\n[home](https://docs.example.com/)',
  );
});

it('links to other sites and links in code are unchanged', () => {
  const text =
    '[a](https://x.io/y) [b](//x.io) [m](mailto:a@b.c) `[c](/d)`\n\n~~~md\n[e](/f)\n```\n[g](/h)\n~~~';
  expect(whole(text)).toBe(text);
});

const pages = new Set(['/keys', '/start#install']);
const resolve = (address: string) => {
  if (/^[a-z]+:/.test(address) && !address.startsWith('https://d/')) return address;
  const path = address.replace(/^https:\/\/d(?=\/)/, '');
  return pages.has(path) ? `https://d${path}` : undefined;
};

function check(text: string, size: number): string {
  const links = new LinkCheck(resolve);
  let out = '';
  for (let at = 0; at < text.length; at += size) out += links.push(text.slice(at, at + size));
  return out + links.end();
}

describe('the link check', () => {
  it.each([1, 2, 3, 5, 8, 13, 1000])(
    'keeps only links to existing pages, for text in pieces of %i characters',
    (size) => {
      expect(
        check(
          'See [Keys](/keys), [**the** `[a]` start](https://d/start#install) and [more [1]](/none).',
          size,
        ),
      ).toBe(
        'See [Keys](https://d/keys), [**the** `[a]` start](https://d/start#install) and more [1].',
      );
      expect(check('[x](https://other.io/a) [y](mailto:a@b.c) [t](/keys "Title")', size)).toBe(
        '[x](https://other.io/a) [y](mailto:a@b.c) [t](https://d/keys "Title")',
      );
    },
  );

  it.each([1, 4, 1000])(
    'leaves code and text without links unchanged, for text in pieces of %i characters',
    (size) => {
      const text = [
        'A list[0] of `[a](/none)` and ![p](/none.png) [open',
        '',
        '```md',
        '[b](/none) ``',
        '~~~',
        '```',
        '`x` then [c] (/none)',
        '  ~~~',
        '[d](/none)',
        '~~~',
        '- [ ] task [e',
      ].join('\n');
      expect(check(text, size)).toBe(text);
    },
  );

  it.each([1, 4, 1000])(
    'omits suggested links that point to no page, for text in pieces of %i characters',
    (size) => {
      expect(
        check('Done.\n\n```suggestions\n(Keys)[/keys]\n(Gone)[/gone]\n```\n\n[z](/gone)', size),
      ).toBe('Done.\n\n```suggestions\n(Keys)[/keys]\n```\n\nz');
    },
  );

  it('holds back no text except an unfinished link', () => {
    const links = new LinkCheck(resolve);
    expect(links.push('Run it. See [Ke')).toBe('Run it. See ');
    expect(links.push('ys](/ke')).toBe('');
    expect(links.push('ys) now')).toBe('[Keys](https://d/keys) now');
    expect(links.push('[')).toBe('');
    expect(links.push('x'.repeat(2000)).length).toBe(2001);
  });
});
