import type { SiteContext } from '@docent/format/content/page/page-content.ts';
import { describe, expect, test } from 'vitest';
import type { SiteModel } from '../site/site-model.ts';
import { memorySourceTree, type SourceTree } from '../source/source-tree.ts';
import { Recorder } from './recorder.ts';

function tree(files: Record<string, string>): SourceTree {
  return memorySourceTree(
    new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)])),
  );
}

function modelOf(config: object, titles: Record<string, string> = { a: 'A', b: 'B' }): SiteModel {
  const pages = Object.entries(titles).map(([path, title]) => ({
    path,
    href: `/${path}`,
    file: '',
    title,
    frontmatter: { custom: {} },
  }));
  return { config, pages } as unknown as SiteModel;
}

const files = { 'one.txt': 'one', 'two.txt': 'two' };
const config = { variables: { x: '1' }, name: 'Acme' };
const open = () => new Recorder(tree(files), modelOf(config));

describe('the record of a page', () => {
  test('is valid exactly while the files that the page read are unchanged', async () => {
    const recorder = open();
    const { answers } = await recorder.record('a', async () => recorder.source.readText('one.txt'));
    recorder.begin(tree({ ...files, 'two.txt': 'other' }), modelOf(config));
    expect(recorder.holds(answers)).toBe(true);
    recorder.begin(tree({ ...files, 'one.txt': 'other' }), modelOf(config));
    expect(recorder.holds(answers)).toBe(false);
  });

  test('includes missing files, and the list of all files if the page requested it', async () => {
    const recorder = open();
    const missing = await recorder.record('a', async () => recorder.source.has('three.txt'));
    const listing = await recorder.record('b', async () => recorder.source.paths().length);
    recorder.begin(tree({ ...files, 'four.txt': '' }), modelOf(config));
    expect([recorder.holds(missing.answers), recorder.holds(listing.answers)]).toEqual([
      true,
      false,
    ]);
    recorder.begin(tree({ ...files, 'three.txt': '' }), modelOf(config));
    expect(recorder.holds(missing.answers)).toBe(false);
  });

  test('includes only the settings that were read, and all of them if they were copied', async () => {
    const recorder = open();
    const one = await recorder.record('a', async () => recorder.model.config.variables);
    const all = await recorder.record('b', async () => ({ ...recorder.model.config }));
    recorder.begin(tree(files), modelOf({ ...config, name: 'Other' }));
    expect([recorder.holds(one.answers), recorder.holds(all.answers)]).toEqual([true, false]);
  });

  test('includes the model of the page itself, but not of others', async () => {
    const recorder = open();
    const { answers } = await recorder.record('a', async () => undefined);
    recorder.begin(tree(files), modelOf(config, { a: 'A', b: 'New' }));
    expect(recorder.holds(answers)).toBe(true);
    recorder.begin(tree(files), modelOf(config, { a: 'New', b: 'B' }));
    expect(recorder.holds(answers)).toBe(false);
  });

  test('includes the responses of the site context, even of unknown methods', async () => {
    const recorder = open();
    const site = { distance: (to: string) => to.length } as unknown as SiteContext;
    recorder.answerWith(site);
    const ask = async () =>
      (recorder.siteContext() as unknown as { distance(to: string): number }).distance('/there');
    const { answers } = await recorder.record('a', ask);
    expect(recorder.holds(answers)).toBe(true);
    recorder.begin(tree(files), modelOf(config));
    recorder.answerWith({ distance: () => 9 } as unknown as SiteContext);
    expect(recorder.holds(answers)).toBe(false);
  });

  test('is never valid if a response cannot be compared', async () => {
    const recorder = open();
    recorder.answerWith({ later: async () => 1 } as unknown as SiteContext);
    const ask = async () =>
      (recorder.siteContext() as unknown as { later(): Promise<number> }).later();
    const { answers } = await recorder.record('a', ask);
    recorder.begin(tree(files), modelOf(config));
    recorder.answerWith({ later: async () => 1 } as unknown as SiteContext);
    expect(recorder.holds(answers)).toBe(false);
  });

  test('is separate for pages that are compiled concurrently', async () => {
    const recorder = open();
    const read = async (path: string) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return recorder.source.readText(path);
    };
    const [a] = await Promise.all([
      recorder.record('a', () => read('one.txt')),
      recorder.record('b', () => read('two.txt')),
    ]);
    expect([...a.answers.keys()].join()).not.toContain('two.txt');
  });
});

describe('a tool that pages share', () => {
  const lazyTool = (recorder: Recorder) => {
    let known: string | undefined;
    return recorder.group('tool', () => ({
      async word() {
        await Promise.resolve();
        known ??= recorder.source.readText('one.txt');
        return known;
      },
    }));
  };

  test('adds everything that it has read to the records of the pages that use it', async () => {
    const recorder = open();
    const tool = lazyTool(recorder);
    await recorder.record('a', () => tool.word());
    const later = await recorder.record('b', () => tool.word());
    const other = await recorder.record('b', async () => 1);
    recorder.begin(tree({ ...files, 'one.txt': 'other' }), modelOf(config));
    expect([recorder.holds(later.answers), recorder.holds(other.answers)]).toEqual([false, true]);
  });

  test('is recreated when its inputs have changed, and kept otherwise', async () => {
    const recorder = open();
    expect(await lazyTool(recorder).word()).toBe('one');
    recorder.begin(tree({ ...files, 'two.txt': 'other' }), modelOf(config));
    const kept = recorder.group('tool', () => ({ word: async () => 'made anew' }));
    expect(await kept.word()).toBe('one');
    recorder.begin(tree({ ...files, 'one.txt': 'other' }), modelOf(config));
    expect(await lazyTool(recorder).word()).toBe('other');
  });
});
