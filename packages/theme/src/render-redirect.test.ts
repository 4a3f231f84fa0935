import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { renderRedirect } from './render-redirect.ts';
import { inlineScripts } from './view/inline-script.ts';

it('a redirect page works with and without scripts', () => {
  const page = renderRedirect('../guides/start.html');
  expect(page).toContain('content="1;url=../guides/start.html"');
  expect(page).toContain('<script data-to="../guides/start.html">');
});

it('a redirect page escapes its address', () => {
  const page = renderRedirect('/a"></script><script>alert(1)</script>');
  expect(page).not.toContain('<script>alert');
});

it.each([
  [['de-AT', 'en'], {}, 'index.html#part'],
  [['de-AT', 'en'], { en: 'en.html', de: 'de.html' }, 'de.html#part'],
  [['pt-BR'], { pt: 'pt.html', 'pt-br': 'pt-br.html' }, 'pt-br.html#part'],
  [['fr'], { en: 'en.html' }, 'index.html#part'],
])(
  'a reader with the languages %j and the start pages %j is redirected to %s',
  (languages, starts, expected) => {
    const visited: string[] = [];
    runInNewContext(inlineScripts.redirect, {
      navigator: { languages },
      location: { hash: '#part', replace: (address: string) => visited.push(address) },
      document: {
        currentScript: { dataset: { to: 'index.html', starts: JSON.stringify(starts) } },
      },
    });
    expect(visited).toEqual([expected]);
  },
);
