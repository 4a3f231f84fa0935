/** What a browser fetches by itself to show an element. */
const FETCHED =
  /\b(?:src|srcset|poster|data|href|xlink:href)\s*=\s*["']\s*(?:https?:)?\/\/|url\(\s*["']?(?:&quot;|&#39;)?\s*(?:https?:)?\/\//i;
const TOKEN = /<!--[\s\S]*?-->|<(\/?)([a-zA-Z][\w:-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/g;
const OUTSIDE = /^\s*(?:https?:)?\/\//i;
/** Elements that show something else, with the end that goes along with them. */
const FRAMES: ReadonlySet<string> = new Set(['iframe', 'video', 'audio', 'object']);
const STYLE_ADDRESS = /url\(\s*(?:&quot;|&#39;|["'])?\s*(?:https?:)?\/\/[^)]*\)/gi;

/**
 * Takes out of an article what a browser would fetch from another origin, because a bundle asks nobody: images, frames and media
 * become links that readers may follow, or their text where they stand in a link already.
 */
export function withoutOutside(article: string): string {
  if (!mayFetch(article)) return article;
  let out = '';
  let from = 0;
  let links = 0;
  const tokens = new RegExp(TOKEN);
  for (let token = tokens.exec(article); token; token = tokens.exec(article)) {
    const [whole, slash, written = '', attributes = ''] = token;
    const name = written.toLowerCase();
    if (/^(?:a|button|summary)$/.test(name)) links += slash === '' ? 1 : -1;
    if (slash !== '') continue;
    const end = FRAMES.has(name) ? endOf(article, name, tokens.lastIndex) : tokens.lastIndex;
    const element = end === tokens.lastIndex ? whole : article.slice(token.index, end);
    const instead = FETCHED.test(element) ? replacement(name, attributes, element, links > 0) : undefined;
    if (instead === undefined) continue;
    out += article.slice(from, token.index) + instead;
    // Inside a frame that stays, its sources still have to be looked at.
    from = instead.startsWith(`<${written}`) ? tokens.lastIndex : end;
    tokens.lastIndex = from;
  }
  return out + article.slice(from);
}

/** A quick look for most articles, which fetch nothing: attributes are written with double quotes, and most addresses are links'. */
function mayFetch(article: string): boolean {
  if (['srcset="', 'url(', '<image', '<use'].some((sign) => article.includes(sign))) return true;
  for (const sign of ['="http', '="//']) {
    for (let at = article.indexOf(sign); at >= 0; at = article.indexOf(sign, at + 1)) {
      if (article.slice(at - 5, at) !== ' href') return true;
    }
  }
  return false;
}

function endOf(article: string, name: string, from: number): number {
  const end = article.toLowerCase().indexOf(`</${name}>`, from);
  return end < 0 ? article.length : end + name.length + '</>'.length;
}

function attribute(attributes: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(attributes);
  return found?.[1] ?? found?.[2];
}

/** Undefined for an element that fetches nothing by itself, such as a link. */
function replacement(name: string, attributes: string, whole: string, inLink: boolean): string | undefined {
  const bare = attributes.replace(STYLE_ADDRESS, 'none');
  if (bare !== attributes)
    return (
      replacement(
        name,
        bare,
        whole.replace(attributes, () => bare),
        inLink,
      ) ?? `<${name}${bare}>`
    );
  if (name === 'a' || name === 'area' || name === 'form') return undefined;
  const address = outsideAddress(name, attributes, whole);
  if (address === undefined) return withoutAttributes(name, attributes);
  if (name === 'source' || name === 'track' || name === 'image' || name === 'use' || name === 'link') return '';
  const text = attribute(attributes, 'alt') || attribute(attributes, 'title') || address;
  const shown = text.replaceAll('<', '&lt;');
  if (inLink) return `<span>${shown}</span>`;
  return `<a href="${address.replaceAll('"', '&quot;')}" target="_blank" rel="noreferrer">${shown}</a>`;
}

/** The address that the element shows, as it is written, where that is another origin. */
function outsideAddress(name: string, attributes: string, whole: string): string | undefined {
  const own = attribute(attributes, 'src') ?? attribute(attributes, 'data') ?? attribute(attributes, 'xlink:href');
  const linked = name === 'image' || name === 'use' || name === 'link' ? attribute(attributes, 'href') : undefined;
  const first = [own, linked].find((address) => address !== undefined && OUTSIDE.test(address));
  if (first !== undefined) return first.trim().replace(/^\/\//, 'https://');
  if (!FRAMES.has(name) || own !== undefined) return undefined;
  // A frame without an address of its own has those of its sources; with one of them here it can stay.
  const sources = [...whole.matchAll(/<source\b((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi)].map(([, inside = '']) =>
    attribute(inside, 'src'),
  );
  return sources.length > 0 && sources.every((source) => source !== undefined && OUTSIDE.test(source)) ? sources[0] : undefined;
}

/** The element without the pictures that it would fetch beside its own. */
function withoutAttributes(name: string, attributes: string): string | undefined {
  const bare = attributes.replace(/\s(?:srcset|poster)\s*=\s*(?:"[^"]*"|'[^']*')/gi, (whole) =>
    /(?:https?:)?\/\/[^\s]/i.test(whole) ? '' : whole,
  );
  return bare === attributes ? undefined : `<${name}${bare}>`;
}
