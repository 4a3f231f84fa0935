import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SearchIndexBuilder } from '@docent/search/load/build-search-index.ts';
import { IndexData } from '@docent/search/load/index-data.ts';
import { loadSearchIndex } from '@docent/search/load/load-search-index.ts';
import { TermReader } from '@docent/search/load/page-terms.ts';
import type { SearchDocument, SearchHit } from '@docent/search/search-index.ts';
import { describe, expect, test } from 'vitest';
import { nameTerm } from '../../../search/src/query/named-sections.ts';
import { Recorder } from '../page-cache/recorder.ts';
import { readSiteModel } from '../site/site-model.ts';
import { openSourceFolder } from '../source/source-tree.ts';
import { createPageCompiler } from './compile-site-page.ts';
import { isSearchable, searchPage, searchSections } from './search-documents.ts';

/*
 * A search for the name of a page or a heading finds it first, or the first page of the group of
 * that name: on the fixture sites, in our documentation and, if they exist, in the repositories of
 * `../shared/corpora`.
 */

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const corpora = fileURLToPath(new URL('../../../../shared/corpora/', import.meta.url));
/** The number of headings that are searched on a large site. */
const MAX_HEADINGS = 400;
const WANTED_SHARE = 0.97;

interface Named {
  name: string;
  page: SearchDocument;
}

/**
 * The index of a folder without the rest of its build: code without highlighting contains the same
 * words.
 */
async function indexOf(folder: string): Promise<Uint8Array> {
  const source = openSourceFolder(folder);
  const model = readSiteModel(source);
  const compile = createPageCompiler(new Recorder(source, model), { plainCode: true });
  const [builder, reader] = [new SearchIndexBuilder(), new TermReader()];
  for (const page of model.pages) {
    const facts = model.facts.get(page.path);
    if (!isSearchable(page, facts, model.config.seo.indexing)) continue;
    const { sections } = (await compile(page)).compiled;
    builder.add(searchPage(page, facts), reader.read(page.path, searchSections(sections)));
  }
  return builder.toBytes();
}

function namesOf({ path, pageTitle, headings }: SearchDocument): string[] {
  return [
    pageTitle,
    path
      .replace(/\/index$/, '')
      .split('/')
      .at(-1) ?? '',
    headings.at(-1) ?? '',
  ];
}

function hasName(hit: SearchHit | undefined, { name, page }: Named): boolean {
  if (hit === undefined) return false;
  const names = [...namesOf(hit.document), ...(hit.document.trail ?? [])];
  return (
    hit.document.path === page.path || names.some((other) => nameTerm(other) === nameTerm(name))
  );
}

/**
 * Searches for every name with the version and language of its page. @returns the names that were
 * not found first
 */
async function missed(folder: string): Promise<{ searched: number; misses: string[] }> {
  const bytes = await indexOf(folder);
  const data = new IndexData(bytes);
  const index = loadSearchIndex(bytes);
  const documents = Array.from({ length: data.sectionCount }, (_, section) =>
    data.document(section),
  );
  const pages = [
    ...new Map(documents.toReversed().map((document) => [document.path, document])).values(),
  ];
  const headings = documents.filter(({ headings }) => headings.length > 0);
  const interval = Math.ceil(headings.length / MAX_HEADINGS);
  const names: Named[] = [
    ...pages.flatMap((page) =>
      namesOf(page)
        .slice(0, 2)
        .map((name) => ({ name, page })),
    ),
    ...headings
      .filter((_, at) => at % interval === 0)
      .map((page) => ({ name: page.headings.at(-1) as string, page })),
  ].filter(({ name }) => nameTerm(name) !== '');
  const misses = names.filter((named) => {
    const { version, language } = named.page;
    const filter = { ...(version && { version }), ...(language && { language }) };
    return !hasName(index.search(named.name, { limit: 5, filter })[0], named);
  });
  return {
    searched: names.length,
    misses: misses.map(({ name, page }) => `${name} (${page.path})`),
  };
}

const own = [
  `${root}docs`,
  ...['basic', 'themes', 'code'].map((name) => `${root}test/sites/${name}`),
];

test.each(own)(
  'every page title, last path segment and heading of %s is found first by its name',
  async (folder) => {
    const { searched, misses } = await missed(folder);
    expect(searched).toBeGreaterThan(0);
    expect(misses).toEqual([]);
  },
  120_000,
);

describe.skipIf(!existsSync(corpora))(
  'a repository in ../shared/corpora (skipped if that folder is absent)',
  () => {
    const names = existsSync(corpora)
      ? readdirSync(corpora, { withFileTypes: true }).filter(
          (entry) => entry.isDirectory() && existsSync(`${corpora}${entry.name}/docs.json`),
        )
      : [];
    test.each(names.map(({ name }) => name))(
      'named %s finds at least 97 percent of its pages by name',
      async (name) => {
        const { searched, misses } = await missed(corpora + name);
        expect(misses.length / searched, misses.slice(0, 20).join('\n')).toBeLessThanOrEqual(
          1 - WANTED_SHARE,
        );
      },
      300_000,
    );
  },
);
