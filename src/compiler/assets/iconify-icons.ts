import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { IconDrawing, IconSource } from '../../core/content/page-renderer.ts';
import { exactNames, nearestNames } from './icon-names.ts';

/** The part of the iconify format that we read (`IconifyJSON`). */
interface IconSet {
  icons: Record<string, IconEntry>;
  aliases?: Record<string, IconAlias>;
  width?: number;
  height?: number;
}

interface IconEntry {
  body: string;
  left?: number;
  top?: number;
  width?: number;
  height?: number;
}

interface IconAlias {
  parent: string;
  /** In quarter turns. */
  rotate?: number;
  hFlip?: boolean;
  vFlip?: boolean;
}

type SetName = 'fa7-solid' | 'fa7-brands' | 'fa7-regular' | 'lucide' | 'tabler';
type Library = Parameters<IconSource['find']>[1];

const LIBRARIES: Record<Library, readonly SetName[]> = {
  fontawesome: ['fa7-solid', 'fa7-brands', 'fa7-regular'],
  lucide: ['lucide'],
  tabler: ['tabler'],
};
const OTHERS: Record<Library, readonly Library[]> = {
  fontawesome: ['lucide', 'tabler'],
  lucide: ['tabler', 'fontawesome'],
  tabler: ['lucide', 'fontawesome'],
};
const MAX_PARENTS = 5;

/** Reads the installed icon sets, each when a page first needs it. */
export function createIconSource(): IconSource {
  const require = createRequire(import.meta.url);
  const sets = new Map<SetName, IconSet>();
  const found = new Map<string, IconDrawing | undefined>();

  function open(name: SetName): IconSet {
    let set = sets.get(name);
    if (!set) {
      set = JSON.parse(readFileSync(require.resolve(`@iconify-json/${name}/icons.json`), 'utf8')) as IconSet;
      sets.set(name, set);
    }
    return set;
  }

  function search(name: string, library: Library, type: string | undefined): IconDrawing | undefined {
    for (const setName of setsFor(library, type)) {
      const drawing = draw(open(setName), name);
      if (drawing) return drawing;
    }
    return undefined;
  }

  /** Returns the first name that a set has: the requested library takes precedence, then the order of the names. */
  function searchAll(names: readonly string[], library: Library, type: string | undefined): IconDrawing | undefined {
    for (const candidate of [library, ...OTHERS[library]]) {
      for (const name of names) {
        const drawing = search(name, candidate, type);
        if (drawing) return drawing;
      }
    }
    return undefined;
  }

  return {
    find(wanted, library, type) {
      const key = `${library} ${type ?? ''} ${wanted}`;
      if (found.has(key)) return found.get(key);
      const drawing = searchAll(exactNames(wanted), library, type) ?? searchAll(nearestNames(wanted), library, type);
      found.set(key, drawing);
      return drawing;
    },
  };
}

/**
 * Returns the sets to search, the requested style first. Commercial styles (light, thin, duotone, sharp) map to the nearest free
 * one.
 */
function setsFor(library: Library, type: string | undefined): readonly SetName[] {
  if (library !== 'fontawesome') return LIBRARIES[library];
  if (type === 'brands') return ['fa7-brands', 'fa7-solid', 'fa7-regular'];
  if (type !== undefined && /regular|light|thin/.test(type)) return ['fa7-regular', 'fa7-solid', 'fa7-brands'];
  return LIBRARIES.fontawesome;
}

function draw(set: IconSet, name: string): IconDrawing | undefined {
  let current = name;
  let turns = 0;
  let [flipX, flipY] = [false, false];
  for (let depth = 0; depth < MAX_PARENTS; depth++) {
    const icon = Object.hasOwn(set.icons, current) ? set.icons[current] : undefined;
    if (icon) return drawing(set, icon, turns % 4, flipX, flipY);
    const alias = set.aliases && Object.hasOwn(set.aliases, current) ? set.aliases[current] : undefined;
    if (!alias) return undefined;
    turns += alias.rotate ?? 0;
    flipX = flipX !== Boolean(alias.hFlip);
    flipY = flipY !== Boolean(alias.vFlip);
    current = alias.parent;
  }
  return undefined;
}

/** Turns and flips around the center. An odd number of quarter turns is only requested for square icons. */
function drawing(set: IconSet, icon: IconEntry, turns: number, flipX: boolean, flipY: boolean): IconDrawing {
  const width = icon.width ?? set.width ?? 16;
  const height = icon.height ?? set.height ?? 16;
  const moves: string[] = [];
  if (turns !== 0) moves.push(`rotate(${turns * 90} ${width / 2} ${height / 2})`);
  if (flipX) moves.push(`translate(${width} 0) scale(-1 1)`);
  if (flipY) moves.push(`translate(0 ${height}) scale(1 -1)`);
  if (icon.left || icon.top) moves.push(`translate(${-(icon.left ?? 0)} ${-(icon.top ?? 0)})`);
  return { width, height, body: moves.length > 0 ? `<g transform="${moves.join(' ')}">${icon.body}</g>` : icon.body };
}
