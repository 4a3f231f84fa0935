import { createHash } from 'node:crypto';
import { withoutOmitted } from './site-addresses.ts';

const NAME = /^menu-[\w-]{11}\.js$/;

/**
 * The scripts under `_docent/` that contain lists of pages which are too long to be in every page.
 * Their names contain their hash. They are scripts because a page opened from disk may load scripts
 * but may not fetch files; `theme/elements/navigation/whole-menu.ts` reads them.
 * @param addAll passes every list of the site to `add`
 */
export function createMenuFiles(addAll: (add: (markup: string) => string) => void) {
  const texts = new Map<string, string>();
  let isComplete = false;

  /** Returns the name of the file with this markup. */
  function add(markup: string): string {
    const list = withoutOmitted(markup);
    const name = `menu-${createHash('sha256').update(list).digest('base64url').slice(0, 11)}.js`;
    if (!texts.has(name))
      texts.set(name, `(self.__docentMenus??={})["${name}"]=${JSON.stringify(list)};\n`);
    return name;
  }

  /**
   * Returns the script of that name, also before a page has named it; undefined if there is none.
   */
  function read(name: string): string | undefined {
    if (!NAME.test(name)) return undefined;
    if (!texts.has(name) && !isComplete) {
      isComplete = true;
      addAll(add);
    }
    return texts.get(name);
  }

  /** The scripts that pages have named so far, by name. */
  const named = (): ReadonlyMap<string, string> => texts;

  return { add, read, named };
}
