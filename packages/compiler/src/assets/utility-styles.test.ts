import { collectClassNames, collectSourceWords } from '@docent/format/site-files/class-names.ts';
import { contrast, parseColor, white } from '@docent/theme/colors/color.ts';
import { describe, expect, it } from 'vitest';
import { utilityStyles } from './utility-styles.ts';

const config = {
  colors: { primary: '#0d9373', light: '#07c983', dark: '#0d9373' },
  background: {},
};
const stylesOf = (...names: string[]) => utilityStyles(names, config);

describe('utility classes', () => {
  it('produce styles only for the classes that pages use', async () => {
    expect(await stylesOf('my-own-class', 'card', 'constructor', '__proto__')).toBe('');
    expect(await stylesOf()).toBe('');
    const css = await stylesOf('grid', 'md:grid-cols-2', 'w-[calc(100%-1rem)]', 'dark:hidden');
    expect(css).toContain('.grid {display: grid;}');
    expect(css).toMatch(/@media \(width >= 48rem\)/);
    expect(css).toContain('width: calc(100% - 1rem)');
    expect(css).toMatch(/\.dark\\:hidden:where\(html\.dark, html\.dark \*\)/);
    expect(css).not.toContain('grid-cols-3');
  });

  it('may have the prefix of the hosted service, with variants, signs and groups', async () => {
    const css = await stylesOf(
      'mint-flex',
      'md:mint-px-24',
      '!mint-mt-2',
      '-mint-ml-1',
      'mint-w-[calc(100%-1rem)]',
      'mint-group',
    );
    expect(css).toContain(':is(.flex,.mint-flex) {display: flex;}');
    expect(css).toContain(':is(.md\\:px-24,.md\\:mint-px-24) {');
    expect(css).toMatch(/\.\\!mint-mt-2\) \{margin-top: calc\(var\(--spacing\) \* 2\) !important;/);
    expect(css).toContain('.-mint-ml-1) {margin-left: calc(var(--spacing) * -1);}');
    expect(css).toContain('.mint-w-\\[calc\\(100\\%-1rem\\)\\]) {width: calc(100% - 1rem);}');
    const group = await stylesOf('mint-group', 'group-hover:mint-opacity-100');
    expect(group).toContain(
      ':where(:is(.group,.mint-group)):hover :is(.group-hover\\:opacity-100,.group-hover\\:mint-opacity-100)',
    );
    expect(await stylesOf('mint-', 'mint-mint', 'peppermint-flex')).toBe('');
  });

  it('are in a cascade layer between the theme and the CSS of the site', async () => {
    const css = await stylesOf('p-4');
    expect(css.slice(css.indexOf('.p-4') - 30, css.indexOf('.p-4'))).toContain(
      '@layer utilities {',
    );
  });

  it('have the meaning of Tailwind CSS 3', async () => {
    const css = await stylesOf(
      'shadow-sm',
      'flex-shrink-0',
      'overflow-ellipsis',
      'rounded-sm',
      'ring',
    );
    expect(css).toContain('0 1px 2px 0 var(--tw-shadow-color, rgb(0 0 0 / 0.05))');
    expect(css).toContain('.flex-shrink-0 {flex-shrink: 0;}');
    expect(css).toContain('text-overflow: ellipsis');
    expect(css).toContain('--radius-sm: 0.125rem');
    expect(css).toContain('calc(3px + var(--tw-ring-offset-width))');
  });

  it('use the colors of the site', async () => {
    expect(await stylesOf('text-primary', 'dark:text-primary-light')).toMatch(
      /--color-primary: #0d9373/,
    );
    // White text must be readable on buttons, so a color that is slightly too light is darkened.
    const button = /--color-primary-dark: (#[0-9a-f]{6})/.exec(
      await stylesOf('bg-primary-dark'),
    )?.[1];
    expect(contrast(white, parseColor(button) ?? white)).toBeGreaterThanOrEqual(4.5);
    const hostile = await utilityStyles(['text-primary'], {
      colors: { primary: 'red;}*{x:y', light: '', dark: '' },
      background: {},
    });
    expect(hostile).not.toContain('x:y');
  });

  it('load nothing from another origin', async () => {
    expect(await stylesOf('bg-[url(https://cdn.example/x.png)]')).not.toContain('cdn.example');
  });

  it('load the files of the site from where the style sheet is', async () => {
    expect(await stylesOf("bg-[url('/images/x.png')]")).toMatch(
      /url\(["']?\.\.\/images\/x\.png["']?\)/,
    );
  });

  it('do not include the classes of another site', async () => {
    await stylesOf('p-7');
    expect(await stylesOf('p-8')).not.toContain('.p-7');
  });
});

describe('the collected class names', () => {
  it('are those of the author, without the theme and math formulas', () => {
    const html =
      '<div class="d-card my-4 [&amp;&gt;p]:mt-2"><span class="katex"><span class="mord underline">x</span></span></div>';
    expect([...collectClassNames(html)]).toEqual(['my-4', '[&>p]:mt-2']);
  });

  it('include those in markup and class lists of scripts, but not code', () => {
    const script =
      'el.innerHTML = "<p class=\\"mt-2 text-sm\\">"; el.classList.add("flex", \'gap-4\'); const isOpen = run(a, b);';
    const words = collectSourceWords(script);
    for (const word of ['mt-2', 'text-sm', 'flex', 'gap-4']) expect(words).toContain(word);
    for (const word of ['el.classList.add(', 'isOpen', 'run(a,']) expect(words).not.toContain(word);
  });

  it('include those in the source of components', () => {
    const source =
      // biome-ignore lint/suspicious/noTemplateCurlyInString: This is the source of a component.
      'const A = ({ open }) => <p className={`p-2 ${open ? "block" : "md:hidden"} w-[calc(1px)]`}>text</p>;';
    const words = collectSourceWords(source);
    for (const word of ['p-2', 'block', 'md:hidden', 'w-[calc(1px)]'])
      expect(words).toContain(word);
  });
});
