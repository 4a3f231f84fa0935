import { DocentError } from '../../core/errors.ts';

const maxNameBytes = 1024;
/** Allowed length of one name on every common file system. */
const maxWordBytes = 255;
const deepestPath = 64;

/**
 * Returns the path of an archive entry inside the source: words separated by `/`, no slash at either end; empty for the root.
 *
 * @throws DocentError `invalid_archive` for a name that leads, or on some system could lead, out of the source
 */
export function entryPath(name: string): string {
  if (Buffer.byteLength(name) > maxNameBytes) throw refusedEntry(name, `its name is longer than ${maxNameBytes} bytes`);
  checkCharacters(name, name);
  if (isAbsolute(name)) throw refusedEntry(name, 'its path is absolute');
  const words = name.split('/').filter((word) => word !== '' && word !== '.');
  if (words.includes('..')) throw refusedEntry(name, 'its path has ".." in it');
  if (words.length > deepestPath) throw refusedEntry(name, `it is more than ${deepestPath} folders deep`);
  if (words.some((word) => Buffer.byteLength(word) > maxWordBytes)) {
    throw refusedEntry(name, `a name in its path is longer than ${maxWordBytes} bytes`);
  }
  return words.join('/');
}

/**
 * Returns the target of a link as a path inside the source; empty for the root.
 *
 * @param base the folder that the target is relative to
 * @throws DocentError `invalid_archive` if it is outside the source
 */
export function linkTarget(name: string, target: string, base: string): string {
  if (target === '' || Buffer.byteLength(target) > maxNameBytes) throw refusedEntry(name, 'it is a link without a valid target');
  checkCharacters(name, target);
  if (isAbsolute(target)) throw refusedEntry(name, 'it is a link that points outside the archive');
  const words = base === '' ? [] : base.split('/');
  for (const word of target.split('/')) {
    if (word === '' || word === '.') continue;
    if (word !== '..') words.push(word);
    else if (words.pop() === undefined) throw refusedEntry(name, 'it is a link that points outside the archive');
  }
  return words.join('/');
}

/** Creates the error of one entry, which it names. */
export function refusedEntry(name: string, reason: string): DocentError {
  return new DocentError('invalid_archive', `The archive entry ${JSON.stringify(name.slice(0, 200))} was refused: ${reason}.`);
}

function checkCharacters(name: string, text: string): void {
  if (text.includes('\\')) throw refusedEntry(name, 'it contains a backslash, which separates folders on some systems');
  if (/[\x00-\x1f\x7f]/.test(text)) throw refusedEntry(name, 'it contains a control character');
  if (text.includes('\ufffd')) throw refusedEntry(name, 'its name is not UTF-8');
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:/.test(path);
}

/** Folders that are never part of a source, at any depth. */
const skippedFolders = new Set(['.git', 'node_modules']);

/**
 * Returns whether a path is not part of a source: version control, installed packages, and the copies of file attributes that
 * archives made on a Mac contain beside each file.
 */
export function isSkippedPath(path: string): boolean {
  return path.split('/').some((word) => skippedFolders.has(word) || word.startsWith('._'));
}
