import { basename } from 'node:path';
import { buildSite } from '@docent/compiler/build-site.ts';
import { describeFile } from '@docent/compiler/files/file-sink.ts';
import { PAGE_TYPE, readStoredPage } from '@docent/compiler/pages/stored-page.ts';
import { openSourceFolder } from '@docent/compiler/source/source-tree.ts';
import { readSiteModel } from '../../packages/compiler/src/site/site-model.ts';
import { type BrokenLink, brokenLinks, type CheckedPage } from './broken-links.ts';
import { missingItems } from './missing-items.ts';
import { operationItems } from './operation-items.ts';
import { readShownPage } from './shown-page.ts';
import { readSourceItems, type SourceItem } from './source-items.ts';

export interface FolderResult {
  folder: string;
  pageCount: number;
  /** Pages that show an error block, with the first message. */
  failedPages: { file: string; message: string }[];
  itemCounts: Record<string, number>;
  missing: SourceItem[];
  brokenLinks: BrokenLink[];
}

/** Builds a documentation folder as publishing does, and compares its source with its pages. */
export async function checkFolder(folder: string): Promise<FolderResult> {
  const bodies = new Map<string, Uint8Array>();
  const sink = {
    add: async (bytes: Uint8Array, type: string) => {
      const file = describeFile(bytes, type);
      if (type === PAGE_TYPE) bodies.set(file.sha256, bytes);
      return file;
    },
  };
  const build = await buildSite(folder, sink, { threads: 1 });
  const source = openSourceFolder(folder);
  const files = {
    readText: (path: string) => source.readText(path),
    variables: build.config.variables,
    latex: build.config.latex !== false,
  };
  const result: FolderResult = {
    folder: basename(folder),
    pageCount: build.pages.length,
    failedPages: [],
    itemCounts: {},
    missing: [],
    brokenLinks: [],
  };
  const targets = new Map(readSiteModel(source).pages.map((page) => [page.path, page.api]));
  const pages: CheckedPage[] = [];
  for (const page of build.pages) {
    const { html, aside } = readStoredPage(bodies.get(page.content.sha256) as Uint8Array);
    const shown = readShownPage(`${html}\n${aside}`);
    pages.push({ href: page.href, file: page.file, shown });
    const fault = /class="d-fault"[^>]*>([^<]*)/.exec(html + aside)?.[1];
    if (fault !== undefined) result.failedPages.push({ file: page.file, message: fault });
    const target = targets.get(page.path);
    const items = page.file === '' ? [] : readSourceItems(page.file, files);
    if (target)
      items.push(...operationItems(target, page.file || target.description, files.readText));
    for (const { kind } of items) result.itemCounts[kind] = (result.itemCounts[kind] ?? 0) + 1;
    // A snippet's items are listed once for each page that lacks them.
    result.missing.push(
      ...missingItems(items, shown).map((item) =>
        item.file === page.file
          ? item
          : { ...item, file: `${page.file || page.path} < ${item.file}` },
      ),
    );
  }
  result.brokenLinks = brokenLinks(pages, (path) => source.has(path));
  return result;
}
