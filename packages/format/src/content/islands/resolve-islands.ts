import type { Diagnostic } from '../../diagnostics.ts';
import { isObject } from '../../json-value.ts';
import { components } from '../components/registry.ts';
import { placeholder } from '../expand/expand-element.ts';
import type { IslandRequest } from '../expand/island-list.ts';
import {
  type ContentNode,
  type ElementNode,
  NodesValue,
  nodeText,
  type PropValue,
} from '../nodes/content-node.ts';
import { htmlNodes, madeElement, propertyAttributes } from '../nodes/html-nodes.ts';
import {
  formFor,
  type IslandElement,
  type IslandModules,
  type IslandOutcome,
  type IslandSource,
  type IslandTree,
  type Look,
  PART_TAG,
  SLOT_TAG,
} from '../nodes/island.ts';
import { element } from '../nodes/plain-nodes.ts';
import type { SourceProperty } from '../nodes/source-node.ts';
import { squeeze } from '../render/node-prose.ts';

/** What the islands of a page add to it. */
export interface ResolvedIslands {
  /** Keys of `SiteBuild.files`. */
  scripts: string[];
  files: { path: string; text: string }[];
  diagnostics: Diagnostic[];
}

/**
 * Runs the components and puts their output in place.
 * @param hasIcon whether the icon library of the site has that name
 */
export async function resolveIslands(
  requests: readonly IslandRequest[],
  source: IslandSource,
  modules: IslandModules,
  hasIcon: (name: string) => boolean,
): Promise<ResolvedIslands> {
  const calls = requests.map(({ file, code, types, forms }) => {
    return {
      file,
      code,
      types,
      forms: forms.map(({ json, inside, own }) => ({ json, inside, own })),
    };
  });
  const { outcomes, places, files, diagnostics } = await source.render(calls, modules);
  const allDiagnostics: Diagnostic[] = [...diagnostics];
  for (const [index, request] of requests.entries()) {
    const outcome = outcomes[index] as IslandOutcome;
    fill(request, outcome, places[index]);
    if (outcome.kind === 'failed') allDiagnostics.push(failure(request, outcome));
  }
  for (const { path, text } of files) {
    const using = [...requests.keys()].filter((index) => places[index]?.script === path);
    const scriptOutcomes = using.map((index) => outcomes[index]);
    requests[using[0] ?? -1]?.node.children.push(...lateIcons(text, scriptOutcomes, hasIcon));
  }
  const used = new Set(
    places.map((place) => place?.script).filter((script) => script !== undefined),
  );
  return {
    scripts: [...used],
    files: files.filter((file) => used.has(file.path)),
    diagnostics: allDiagnostics,
  };
}

function fill(
  request: IslandRequest,
  outcome: IslandOutcome,
  place: { key: string; look: Look } | undefined,
): void {
  const { node, name } = request;
  const props = formFor(request.forms, place?.look ?? 0);
  const usedSlots = new Set<number>();
  node.attributes = { 'data-name': name };
  if (place) Object.assign(node.attributes, { 'data-island': place.key, 'data-props': props.json });
  if (outcome.kind === 'rendered') {
    if (!outcome.isGuess) node.attributes['data-rendered'] = true;
    node.children = islandNodes(outcome.tree, props.slots, usedSlots);
  } else {
    if (outcome.browser === 'asks') node.attributes['data-asks'] = true;
    node.children = [placeholder(name, false)];
  }
  const visible = comparable(nodeText(node.children));
  const texts = props.texts.filter(
    (text) => text.trim() !== '' && !visible.includes(comparable(text)),
  );
  const hidden = props.slots
    .map((nodes, number) => ({ nodes, number }))
    .filter(({ number }) => isHidden(number, props.wholes, usedSlots));
  const isLost = outcome.kind === 'failed';
  // Content that the component initially hides still belongs to the page; if the component failed,
  // readers see the content.
  node.children.push(
    ...texts.map((value) => slot([{ type: 'text', value }], NO_SLOT, !isLost)),
    ...hidden.map(({ nodes, number }) => slot(nodes, number, !isLost)),
  );
}

/**
 * Whether a slot waits for the component to show it. A piece of content has one slot as a whole and
 * one for what is inside it; a component that shows the inside of one piece shows that of the
 * others later.
 * @param wholes the slots of wholes by those of what is inside them
 */
function isHidden(
  number: number,
  wholes: ReadonlyMap<number, number>,
  usedSlots: ReadonlySet<number>,
): boolean {
  if (usedSlots.has(number)) return false;
  const showsInsides = [...wholes.keys()].some((inside) => usedSlots.has(inside));
  const whole = wholes.get(number);
  if (whole !== undefined) return showsInsides && !usedSlots.has(whole);
  return !showsInsides || ![...wholes.values()].includes(number);
}

/** Components show the text of their content in their own case and spacing. */
const comparable = (text: string): string => squeeze(text).toLowerCase();

/** The slot of text, which is passed to components unchanged. */
const NO_SLOT = -1;

function slot(nodes: ContentNode[], number: number, isHidden: boolean): ContentNode {
  return element(SLOT_TAG, { 'data-slot': number, ...(isHidden && { hidden: true }) }, nodes);
}

const CONSEQUENCES = {
  runs: 'It is rendered in the browser only',
  asks: 'Readers must start it in the browser',
  never: 'A placeholder is shown instead',
} as const;

function failure(
  { name, place, file }: IslandRequest,
  outcome: Extract<IslandOutcome, { kind: 'failed' }>,
): Diagnostic {
  return {
    severity: 'warning',
    code: 'island-failed',
    message: `${name === '' ? 'The expression' : `<${name}>`} could not be rendered on the server: ${outcome.reason}. ${CONSEQUENCES[outcome.browser]}.`,
    remedy:
      'Correct the component. Move code that needs the browser into useEffect or an event handler.',
    file: place.file ?? file,
    line: place.line,
  };
}

const MAX_DEPTH = 100;
const MAX_NODES = 20_000;

/**
 * Elements that the renderer normally decorates; a component's output stays unchanged, so that the
 * browser can hydrate it.
 */
const DRESSED = /^(?:h[1-6]|table)$/;

/**
 * Converts a component's output to nodes of the page. The output is untrusted: anything of an
 * unexpected shape is dropped, and the renderer filters the rest like all the author's elements.
 * @param slots content of the page that the component shows
 * @param usedSlots receives the numbers of the used slots
 */
function islandNodes(
  tree: unknown,
  slots: readonly ContentNode[][],
  usedSlots: Set<number>,
): ContentNode[] {
  let left = MAX_NODES;
  let isWithinPart = false;

  function convert(part: unknown, depth: number): ContentNode[] {
    if (--left < 0 || depth > MAX_DEPTH) return [];
    if (typeof part === 'string') return part === '' ? [] : [{ type: 'text', value: part }];
    if (typeof part === 'number') return slotNodes(part);
    if (Array.isArray(part)) return part.flatMap((item) => convert(item, depth + 1));
    if (part === null || typeof part !== 'object') return [];
    return elementNodes(part as Partial<IslandElement>, depth);
  }

  function slotNodes(number: number): ContentNode[] {
    const nodes = slots[number];
    if (!nodes) return [];
    // Rendering the content twice would duplicate its ids; the browser shows a copy.
    const children = usedSlots.has(number) ? [] : nodes;
    usedSlots.add(number);
    return [element(SLOT_TAG, { 'data-slot': number }, children)];
  }

  function elementNodes(
    { t: tag, a, props, key, c, html }: Partial<IslandElement>,
    depth: number,
  ): ContentNode[] {
    if (typeof tag !== 'string') return [];
    if (props !== undefined)
      return [partNode(tag, String(key), props, Array.isArray(c) ? c : [], depth)];
    const children = Array.isArray(c) ? convert(c, depth + 1) : [];
    const attributes = propertyAttributes(isObject(a) ? (a as Record<string, SourceProperty>) : {});
    const name = tag.toLowerCase();
    if (DRESSED.test(name)) attributes['data-plain'] = true;
    if (typeof html !== 'string') return [madeElement(name, attributes, children)];
    return [element(name, attributes, name === 'style' ? html : htmlNodes(html))];
  }

  /**
   * The browser finds a built-in component by its key, and renders what the component shows in its
   * slot again.
   */
  function partNode(
    name: string,
    key: string,
    props: unknown,
    content: unknown[],
    depth: number,
  ): ContentNode {
    if (isWithinPart) return componentNode(name, props, convert(content, depth + 1), depth);
    isWithinPart = arranges(name, content, 0);
    const children = convert(content, depth + 1);
    const isWhole = isWithinPart || children.length === 0;
    isWithinPart = false;
    const slot = element(SLOT_TAG, { 'data-content': true }, children);
    const node = componentNode(name, props, isWhole ? children : [slot], depth);
    return element(PART_TAG, { 'data-part': key }, node);
  }

  function componentNode(
    name: string,
    rawProps: unknown,
    children: ContentNode[],
    depth: number,
  ): ContentNode {
    const props: Record<string, PropValue> = Object.create(null);
    for (const [key, value] of Object.entries(isObject(rawProps) ? rawProps : {})) {
      if (key !== '__proto__') props[key] = propOf(value, depth + 1);
    }
    return { type: 'component', name, props, children };
  }

  function propOf(value: unknown, depth: number): PropValue {
    if (--left < 0 || depth > MAX_DEPTH) return undefined;
    if (
      typeof value === 'string' ||
      typeof value === 'number' ||
      typeof value === 'boolean' ||
      value === null
    )
      return value;
    if (Array.isArray(value)) return value.map((item) => propOf(item, depth + 1));
    if (!isObject(value)) return undefined;
    if (Object.hasOwn(value, '$nodes')) return new NodesValue(convert(value.$nodes, depth + 1));
    const plain: Record<string, PropValue> = Object.create(null);
    for (const [key, item] of Object.entries(value))
      if (key !== '__proto__') plain[key] = propOf(item, depth + 1);
    return plain;
  }

  return convert(tree as IslandTree, 0);
}

/** Components that arrange the code blocks inside them. */
const CODE_FRAMES = new Set(['CodeGroup', 'RequestExample', 'ResponseExample']);

/**
 * Returns whether a component arranges others that it finds inside (tabs, steps): the build renders
 * them as a whole.
 */
function arranges(name: string, content: readonly unknown[], depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  return content.some((part) => {
    if (Array.isArray(part)) return arranges(name, part, depth + 1);
    if (!isObject(part)) return false;
    if (part.props === undefined) return Array.isArray(part.c) && arranges(name, part.c, depth + 1);
    return (
      CODE_FRAMES.has(name) || components.get(String(part.t))?.parents?.includes(name) === true
    );
  });
}

/** Maximum icons of a script that travel with its page. */
const MAX_ICONS = 60;
/** What the code of a component passes as an icon: `icon:isOpen?"minus":"plus"`. */
const ICON = /\bicon:([^,{}]{1,200})/g;
const NAME = /"([a-z\d][a-z\d-]{0,40})"/gi;

/**
 * Returns the icons that a script names and that the build has not rendered, hidden: its components
 * may show them later, and only the build can draw icons.
 * @param script as bundled
 * @param outcomes the components that the build has rendered with the script
 */
export function lateIcons(
  script: string,
  outcomes: unknown,
  hasIcon: (name: string) => boolean,
): ElementNode[] {
  const written = JSON.stringify(outcomes);
  const names = new Set<string>();
  for (const [, value = ''] of script.matchAll(ICON)) {
    for (const [quoted, name = ''] of value.matchAll(NAME)) {
      if (names.size < MAX_ICONS && !written.includes(`"icon":${quoted}`) && hasIcon(name))
        names.add(name);
    }
  }
  return [...names].map((icon) =>
    element(
      PART_TAG,
      { 'data-icon': icon, hidden: true },
      { type: 'component', name: 'Icon', props: { icon }, children: [] },
    ),
  );
}
