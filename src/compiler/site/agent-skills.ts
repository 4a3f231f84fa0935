import { isPublicPage } from '../../core/access/public-page.ts';
import { readFrontmatter } from '../../core/content/mdx/frontmatter.ts';
import type { AgentSkill } from '../../core/site-build.ts';
import type { SourceTree } from '../source/source-tree.ts';

const ROOT_FILE = /^skill\.md$/i;
const SKILL_FILE = /^\.(?:docent|mintlify)\/skills\/([^/]+)\/skill\.md$/i;
const MAX_SKILLS = 50;
const MAX_CHARACTERS = 200_000;

/** Returns whether a source file is a skill for agents rather than a page. */
export function isSkillFile(path: string): boolean {
  return ROOT_FILE.test(path) || SKILL_FILE.test(path);
}

/**
 * Returns the skills of a repository (agentskills.io): `skill.md`, and `.docent/skills/<name>/SKILL.md` or the same below
 * `.mintlify`. Leaves out a skill with `groups`, which is not public, one that is too long, and all after the fiftieth.
 */
export function readSkills(source: Pick<SourceTree, 'paths' | 'readText'>): AgentSkill[] {
  const skills = new Map<string, AgentSkill>();
  for (const file of source.paths().filter(isSkillFile).sort()) {
    const text = source.readText(file);
    if (text === undefined || text.length > MAX_CHARACTERS || skills.size === MAX_SKILLS) continue;
    const { custom, description = '' } = readFrontmatter(text, file).frontmatter;
    if (!isPublicPage(custom.groups)) continue;
    const folder = SKILL_FILE.exec(file)?.[1];
    const name = skillName(typeof custom.name === 'string' ? custom.name : (folder ?? ''));
    if (!skills.has(name)) skills.set(name, { name, description, text, isRoot: folder === undefined });
  }
  return [...skills.values()];
}

/** Converts a name to the specified form: lower-case letters, digits and hyphens, at most 64. */
export function skillName(text: string): string {
  const words =
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, 64).replace(/-$/, '') || 'docs';
}
