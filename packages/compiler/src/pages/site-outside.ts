import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { FileEntry } from '@docent/format/build/site-build.ts';
import type { IconSource } from '@docent/format/content/page/page-renderer.ts';
import { mapPieces } from '@docent/format/content/page/personal-page.ts';
import type { FontConfig, NavbarLink, SiteConfig } from '@docent/format/docs-json/site-config.ts';
import { mapOutsideFiles } from '@docent/format/outside/config-outside.ts';
import { outsidePictures, withLocalPictures } from '@docent/format/outside/page-pictures.ts';
import { outsideOfStyleSheet } from '@docent/format/site-files/style-sheet.ts';
import type { FileSink } from '../files/file-sink.ts';
import type { FetchOutside } from '../outside/outside.ts';
import { OutsideCopies, type OutsidePlace } from '../outside/outside-copies.ts';
import type { SiteModel } from '../site/site-model.ts';
import type { SourceTree } from '../source/source-tree.ts';
import type { PageResult } from './page-result.ts';
import { PAGE_TYPE, readStoredPage, writeStoredPage } from './stored-page.ts';

/** Families of browsers and systems, and of the theme. */
const AT_HAND =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-serif|ui-sans-serif|ui-monospace|ui-rounded|math|emoji|inherit|initial|-apple-system|blinkmacsystemfont|inter|arial|helvetica|helvetica neue|times|times new roman|georgia|verdana|tahoma|trebuchet ms|courier|courier new|segoe ui|sf pro|sf pro text|sf pro display|sf mono|menlo|monaco|consolas)$/i;

const SERVICE = 'https://fonts.googleapis.com/css2';

/**
 * Returns style sheet URLs of a font family at Google Fonts, best first: the service rejects
 * weights that a family lacks. Empty for families that need not be loaded.
 */
function fontStyleSheets(family: string, weight?: number): string[] {
  if (AT_HAND.test(family.trim())) return [];
  const name = encodeURIComponent(family.trim()).replaceAll('%20', '+');
  const weights = [
    ...new Set([400, 500, 600, 700, ...(weight === undefined ? [] : [weight])]),
  ].sort((a, b) => a - b);
  return [`:wght@${weights.join(';')}`, ':wght@400;700', ''].map(
    (axes) => `${SERVICE}?family=${name}${axes}&display=swap`,
  );
}

const isOff: FetchOutside = async () => ({
  fault: 'fetching is off (DOCENT_FETCH_REMOTE, --no-fetch)',
});

/** What a site uses from other servers, after everything available was copied. */
interface SettledOutside {
  /** With copies in place of URLs, and with counts. */
  config: SiteConfig;
  icons: Record<string, string>;
  /** Copies by their site path. */
  files: [string, FileEntry][];
  /** Copied style sheets for every page: keys of `files`. */
  styles: string[];
  /** Returns the path of the copy of a URL, or a `data:` URL. */
  copyOf: (address: string) => string | undefined;
}

interface OutsideSite {
  model: SiteModel;
  source: SourceTree;
  icons: Record<string, string>;
  iconSource: IconSource;
}

/**
 * Everything that one build copies from other servers. Requested early, so that it arrives while
 * pages are compiled.
 */
export class SiteOutside {
  readonly copies: OutsideCopies;
  readonly #sink: FileSink;
  readonly #site: OutsideSite;
  readonly #config: Promise<SiteConfig>;
  readonly #fonts: Promise<(string | undefined)[]>;
  readonly #waiting: { pagePath: string; read: () => Uint8Array }[] = [];

  /**
   * @param fetch absent if nothing may be fetched: then everything but icons is missing for that
   *   reason
   */
  constructor(site: OutsideSite, sink: FileSink, fetch: FetchOutside = isOff) {
    const { model, source, icons } = site;
    const copies = new OutsideCopies(sink, withOwnIcons(fetch, site.iconSource));
    this.copies = copies;
    this.#sink = sink;
    this.#site = site;
    const place: OutsidePlace = { file: model.configFile };
    mapOutsideFiles(model.config, (address, kind) => {
      void copies.want(kind, address, place);
      return address;
    });
    for (const markup of Object.values(icons))
      for (const { kind, address } of outsidePictures(markup))
        void copies.want(kind, address, place);
    for (const file of model.assets.filter((path) => /\.css$/i.test(path)))
      for (const { kind, address, line } of outsideOfStyleSheet(source.readText(file) ?? ''))
        void copies.want(kind, address, { file, line });
    this.#config = withNavbarCounts(model.config, fetch);
    this.#fonts = Promise.all(
      namedFonts(model.config).map((font) => copyFont(font, copies, place)),
    );
    // These are awaited later; until then an error of the store must not be an unhandled rejection.
    for (const promise of [this.#config, this.#fonts]) promise.catch(() => {});
  }

  /** Holds a page that shows something from other servers, until `settle`. */
  takePage(pagePath: string, result: PageResult, file: string): void {
    for (const { kind, address } of result.outside) {
      // An author cannot correct the address of a video's thumbnail.
      const optional = kind === 'oembed' || kind === 'poster';
      void this.copies.want(
        kind,
        address,
        { file: file || this.#site.model.configFile },
        { optional },
      );
    }
    // There may be thousands, so they are kept compressed. A cached one is unpacked on request.
    const packed = result.isKept ? undefined : zstdCompressSync(result.content);
    this.#waiting.push({
      pagePath,
      read: () => (packed ? zstdDecompressSync(packed) : result.content),
    });
  }

  /**
   * Waits until everything was copied or has failed, and stores the pages that were held.
   * @param store receives a page of the build
   */
  async settle(store: (pagePath: string, file: FileEntry) => void): Promise<SettledOutside> {
    const [counted, fonts] = await Promise.all([this.#config, this.#fonts]);
    const files = await this.copies.settle();
    const { copyOf } = this.copies;
    for (const { pagePath, read } of this.#waiting) {
      const content = readStoredPage(read());
      content.html = withLocalPictures(content.html, copyOf);
      content.aside = withLocalPictures(content.aside, copyOf);
      if (content.personal)
        content.personal = mapPieces(content.personal, (html) => withLocalPictures(html, copyOf));
      store(pagePath, await this.#sink.add(writeStoredPage(content), PAGE_TYPE));
    }
    return {
      config: mapOutsideFiles(counted, (address) => {
        const copy = copyOf(address);
        return copy ? `/${copy.path}` : address;
      }),
      icons: Object.fromEntries(
        Object.entries(this.#site.icons).map(([name, markup]) => [
          name,
          withLocalPictures(markup, copyOf),
        ]),
      ),
      files,
      styles: fonts.filter((path) => path !== undefined),
      copyOf: (address) => copyOf(address)?.inline ?? copyOf(address)?.path,
    };
  }
}

/** Returns the fonts that docs.json names without a file, each family once. */
function namedFonts({ fonts }: SiteConfig): FontConfig[] {
  const named = [fonts?.heading, fonts?.body]
    .filter((font) => font !== undefined)
    .filter((font) => font.source === undefined);
  return [...new Map(named.map((font) => [`${font.family} ${font.weight ?? ''}`, font])).values()];
}

/**
 * @returns the path of the style sheet with the faces of a family; undefined if no service has it
 */
async function copyFont(
  { family, weight }: FontConfig,
  copies: OutsideCopies,
  place: OutsidePlace,
): Promise<string | undefined> {
  const addresses = fontStyleSheets(family, weight);
  for (const address of addresses) {
    const copy = await copies.want('import', address, place, { optional: true });
    if (copy) return copy.path;
  }
  if (addresses[0] !== undefined) copies.miss(addresses[0], place);
  return undefined;
}

const MAX_BYTES = 256 * 1024;
const MOST = 1_000_000_000;

interface Counter {
  /** Its first group is what to count. */
  link: RegExp;
  address: (name: string) => string;
  /** Property of the response. */
  member: string;
}

const COUNTERS: Record<NonNullable<NavbarLink['type']>, Counter> = {
  github: {
    link: /^https:\/\/(?:www\.)?github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git)?(?:[/?#]|$)/i,
    address: (name) => `https://api.github.com/repos/${name}`,
    member: 'stargazers_count',
  },
  discord: {
    link: /^https:\/\/(?:www\.)?(?:discord\.gg|discord(?:app)?\.com\/invite)\/([\w-]{2,64})/i,
    address: (code) => `https://discord.com/api/v10/invites/${code}?with_counts=true`,
    member: 'approximate_presence_count',
  },
};

/**
 * Requests the stars of the repositories and the online members of the Discord servers that the
 * header links to, once per build. An unavailable count is absent.
 */
async function withNavbarCounts(config: SiteConfig, fetch: FetchOutside): Promise<SiteConfig> {
  const counted = async <Parts extends Partial<Pick<SiteConfig, 'navbar'>>>(
    parts: Parts,
  ): Promise<Parts> => {
    if (!parts.navbar) return parts;
    const { links, primary } = parts.navbar;
    const navbar = { links: await Promise.all(links.map((link) => withCount(link, fetch))) };
    if (!primary) return { ...parts, navbar };
    const { type } = primary;
    return {
      ...parts,
      navbar: {
        ...navbar,
        primary: type === 'button' ? primary : await withCount({ ...primary, type }, fetch),
      },
    };
  };
  const { byLanguage } = config;
  const languages = byLanguage?.map(async ({ language, parts }) => ({
    language,
    parts: await counted(parts),
  }));
  return {
    ...(await counted(config)),
    ...(languages && { byLanguage: await Promise.all(languages) }),
  };
}

async function withCount<Link extends NavbarLink>(link: Link, fetch: FetchOutside): Promise<Link> {
  const counter = link.type && COUNTERS[link.type];
  const name = counter?.link.exec(link.href)?.[1];
  if (!counter || name === undefined) return link;
  const result = await fetch(counter.address(name), {
    accept: 'application/json',
    maxBytes: MAX_BYTES,
  });
  const count = 'fault' in result ? undefined : countIn(result.bytes, counter.member);
  return count === undefined ? link : { ...link, count };
}

function countIn(bytes: Uint8Array, member: string): number | undefined {
  try {
    const count = (JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>)[member];
    return typeof count === 'number' && Number.isInteger(count) && count >= 0 && count < MOST
      ? count
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * `/v6.6.0/solid/bolt.svg`, `/v6.6.0/lucide/house.svg` or `/lucide/v1.16.0/house.svg` at the hosts of the service's icons.
 */
const ICON =
  /^https:\/\/(?:mintlify\.b-cdn\.net|d3gk2c5xim1je2\.cloudfront\.net)\/(?:v[\d.]+\/(?<style>[a-z-]+)|(?<library>lucide|tabler)\/v[\d.]+)\/(?<name>[\w-]+)\.svg$/;

/**
 * Answers the addresses of the hosted service's icons, which authors paste into masks and images,
 * from our own icon sets: these icons need no network. Everything else is fetched.
 */
function withOwnIcons(fetch: FetchOutside, icons: IconSource): FetchOutside {
  return async (address, request) => {
    const { style, library = style, name = '' } = ICON.exec(address)?.groups ?? {};
    const set = library === 'lucide' || library === 'tabler' ? library : 'fontawesome';
    const icon = name === '' ? undefined : icons.find(name, set, style);
    if (!icon) return fetch(address, request);
    const markup = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${icon.width} ${icon.height}">${icon.body}</svg>`;
    return { bytes: new TextEncoder().encode(markup), type: 'image/svg+xml' };
  };
}
