import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './start-docent.ts';

/** Pages of every third folder are for the one group, of every third for the other. */
export const GROUPS = ['staff', 'partners'] as const;
export type Group = (typeof GROUPS)[number];

export interface RestrictedRepository {
  folder: string;
  /** Paths of the pages of each group; each has a word of its own, which begins with `wordOf`. */
  pages: Record<Group, string[]>;
}

/** What the title, the description and the text of each page of a group contain. */
export const wordOf = (group: Group): string => `only${group}word`;
/** A picture that only the first page of a group uses. */
export const pictureOf = (group: Group): string => `picture-${group}.png`;

/** Copies a repository of documentation, and restricts pages of it by their folders. */
export async function restrictRepository(source: string): Promise<RestrictedRepository> {
  const folder = await temporaryFolder();
  cpSync(source, folder, { recursive: true });
  const pages: RestrictedRepository['pages'] = { staff: [], partners: [] };
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (path) => path.endsWith('.mdx') && !/(?:^|\/)[._]?(?:snippets|node_modules)\//.test(path),
    )
    .sort();
  const folders = [...new Set(paths.map(folderOf))].filter(Boolean);
  for (const path of paths) {
    const group = GROUPS[(folders.indexOf(folderOf(path)) % 3) - 1];
    if (group === undefined) continue;
    const file = join(folder, path);
    const restricted = restrictPage(readFileSync(file, 'utf8'), group, pages[group].length);
    if (restricted === undefined) continue;
    writeFileSync(file, restricted);
    pages[group].push(`/${path.replace(/(?:\/index)?\.mdx$/, '')}`);
  }
  for (const group of GROUPS)
    writeFileSync(join(folder, pictureOf(group)), Buffer.concat([PNG, Buffer.from(wordOf(group))]));
  return { folder, pages };
}

/** Whether a folder is there: real repositories are next to some checkouts only. */
export const isThere = (folder: string): boolean => existsSync(folder);

/** One pixel; what follows its end is not looked at. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const folderOf = (path: string) => path.split('/').slice(0, -1).slice(0, 2).join('/');

/** Returns the page for a group; undefined if it has no frontmatter, or groups already. */
function restrictPage(text: string, group: Group, number: number): string | undefined {
  const [, frontmatter, body] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(text) ?? [];
  if (
    frontmatter === undefined ||
    body === undefined ||
    /^(?:groups|public|url):/m.test(frontmatter)
  )
    return undefined;
  const word = `${wordOf(group)}${number}`;
  const lines = frontmatter
    .split('\n')
    .filter((line) => !/^(?:title|sidebarTitle|description):/.test(line));
  const picture = number === 0 ? `\n![A picture](/${pictureOf(group)})\n` : '';
  return `---
title: "A page ${word}"
description: "About ${word}"
groups: ["${group}"]
${lines.join('\n')}
---
${body}

This page has the word ${word}.
${picture}`;
}
