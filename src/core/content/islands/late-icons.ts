import type { ElementNode } from '../expand/content-node.ts';
import { PART_TAG } from './island.ts';

/** Maximum icons of a script that travel with its page. */
const MAX_ICONS = 60;
/** What the code of a component passes as an icon: `icon:isOpen?"minus":"plus"`. */
const ICON = /\bicon:([^,{}]{1,200})/g;
const NAME = /"([a-z\d][a-z\d-]{0,40})"/gi;

/**
 * Returns the icons that a script names and that the build has not rendered, hidden: its components may show them later, and only
 * the build can draw icons.
 * @param script as bundled
 * @param shown the components that the build has rendered with the script
 */
export function lateIcons(script: string, shown: unknown, hasIcon: (name: string) => boolean): ElementNode[] {
  const written = JSON.stringify(shown);
  const names = new Set<string>();
  for (const [, value = ''] of script.matchAll(ICON)) {
    for (const [quoted, name = ''] of value.matchAll(NAME)) {
      if (names.size < MAX_ICONS && !written.includes(`"icon":${quoted}`) && hasIcon(name)) names.add(name);
    }
  }
  return [...names].map((icon) => ({
    type: 'element',
    tag: PART_TAG,
    attributes: { 'data-icon': icon, hidden: true },
    children: [{ type: 'component', name: 'Icon', props: { icon }, children: [] }],
  }));
}
