import type { PageAudience } from '@docent/format/access/audience.ts';
import type { FileEntry, SiteBuild } from '@docent/format/build/site-build.ts';
import type { IconSource } from '@docent/format/content/page/page-renderer.ts';
import { DocentError } from '@docent/format/errors.ts';
import { drawSiteIcons } from '../assets/site-icons.ts';
import type { PagePlan } from '../site/page-plans.ts';
import { readSiteModel, type SiteModel } from '../site/site-model.ts';
import type { SourceTree } from '../source/source-tree.ts';
import type { PageResult } from './page-result.ts';
import { isSearchable, searchPage } from './search-documents.ts';
import { fedPage, type KeptSegments, SearchFeed } from './search-feed.ts';
import { PageHarvest } from './site-parts.ts';

/** A site, or the part of it that everybody may read, with what its pages contribute. */
export class SitePart {
  readonly model: SiteModel;
  readonly harvest: PageHarvest;
  readonly search: SearchFeed;
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #isReportOnly: boolean;

  /** @param options `kept` as in `SearchFeed` */
  constructor(
    model: SiteModel,
    source: SourceTree,
    { isReportOnly, kept }: { isReportOnly: boolean; kept: KeptSegments | undefined },
  ) {
    this.model = model;
    this.search = new SearchFeed(kept);
    this.harvest = new PageHarvest(source);
    this.#numbers = new Map(model.pages.map(({ path }, number) => [path, number]));
    this.#isReportOnly = isReportOnly;
  }

  /** Adds a compiled page, if this part has it. */
  add(page: PagePlan, result: PageResult): void {
    const number = this.#numbers.get(page.path);
    if (number === undefined) return;
    const facts = this.model.facts.get(page.path);
    const isInSearch =
      !this.#isReportOnly && isSearchable(page, facts, this.model.config.seo.indexing);
    this.search.add(number, isInSearch ? fedPage(searchPage(page, facts), result) : undefined);
    this.harvest.add(page.path, result);
  }
}

type Content = Omit<SiteBuild, 'id' | 'report'>;

/**
 * Returns the model of what everybody may read: as if readers could not sign in. The model itself
 * if there is nothing else.
 */
export function publicPart(model: SiteModel, source: SourceTree): SiteModel {
  if (!model.pages.some((page) => page.audience?.groups)) return model;
  try {
    const publicModel = readSiteModel(source);
    const plans = new Map(model.pages.map((page) => [page.path, page]));
    return {
      ...publicModel,
      pages: publicModel.pages.flatMap((page) => plans.get(page.path) ?? []),
    };
  } catch (error) {
    if (!(error instanceof DocentError)) throw error;
    // No page is for everybody.
    return {
      ...model,
      config: { ...model.config, redirects: [] },
      navigation: { roots: [], global: [] },
      pages: [],
      facts: new Map(),
    };
  }
}

/**
 * Assembles the manifest of a build: what everybody may read, and beside it what only some may.
 * @param audiences who may read a file, as `FileUsers` says; undefined if nobody can sign in
 */
export async function withRestricted(
  whole: SitePart,
  open: SitePart,
  parts: {
    served: Record<string, FileEntry>;
    audiences: ReadonlyMap<string, PageAudience> | undefined;
    compose: (part: SitePart, files: Record<string, FileEntry>) => Promise<Content>;
    iconSource: IconSource;
  },
): Promise<Content> {
  const { served, compose, iconSource } = parts;
  const audiences = new Map(parts.audiences);
  const openFiles = Object.fromEntries(
    Object.entries(served).filter(([path]) => audiences.get(path)?.groups === undefined),
  );
  const given = new Set(Object.keys(served));
  const all = await compose(whole, served);
  const content = whole === open ? { ...all } : await compose(open, openFiles);
  // Style sheets of classes, which are made from pages.
  if (parts.audiences)
    for (const path of Object.keys(content.files))
      if (!given.has(path)) audiences.set(path, { isPublic: true });
  if (whole === open && audiences.size === 0) return all;
  const usedIcons = new Set(Object.keys(drawSiteIcons(open.model, iconSource, [])));
  content.icons = Object.fromEntries(
    Object.entries(all.icons).filter(([name]) => usedIcons.has(name)),
  );
  const restricted = all.pages.flatMap((page, place) =>
    page.audience?.groups ? [{ page, place }] : [],
  );
  const files = Object.entries(all.files).filter(([path]) => !Object.hasOwn(content.files, path));
  content.restricted = {
    pages: restricted.map(({ page }) => page),
    places: restricted.map(({ place }) => place),
    navigation: all.navigation,
    redirects: all.config.redirects,
    files: Object.fromEntries(files),
    audiences: Object.fromEntries(audiences),
    styles: all.styles,
    icons: all.icons,
    searchIndex: all.searchIndex,
  };
  return content;
}
