import type { Diagnostic } from '../../diagnostics.ts';
import type { ContentNode, ElementNode } from '../expand/content-node.ts';
import { placeholder } from '../expand/expand-element.ts';
import { squeeze } from '../markdown/node-prose.ts';
import { nodeText } from '../markdown/node-text.ts';
import { formFor, type IslandModules, type IslandOutcome, type IslandSource, type Look, SLOT_TAG } from './island.ts';
import type { IslandRequest } from './island-list.ts';
import { islandNodes } from './island-tree.ts';
import { lateIcons } from './late-icons.ts';

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
  const calls = requests.map(({ file, code, types, forms }) => ({
    file,
    code,
    types,
    forms: forms.map(({ json, inside, own }) => ({ json, inside, own })),
  }));
  const { outcomes, places, files, diagnostics } = await source.render(calls, modules);
  const found: Diagnostic[] = [...diagnostics];
  for (const [index, request] of requests.entries()) {
    const outcome = outcomes[index] as IslandOutcome;
    fill(request, outcome, places[index]);
    if (outcome.kind === 'failed') found.push(failure(request, outcome));
  }
  for (const { path, text } of files) {
    const using = [...requests.keys()].filter((index) => places[index]?.script === path);
    const first = requests[using[0] ?? -1];
    first?.node.children.push(
      ...lateIcons(
        text,
        using.map((index) => outcomes[index]),
        hasIcon,
      ),
    );
  }
  const used = new Set(places.map((place) => place?.script).filter((script) => script !== undefined));
  return { scripts: [...used], files: files.filter((file) => used.has(file.path)), diagnostics: found };
}

function fill(request: IslandRequest, outcome: IslandOutcome, place: { key: string; look: Look } | undefined): void {
  const { node, name } = request;
  const props = formFor(request.forms, place?.look ?? 0);
  const shown = new Set<number>();
  node.attributes = { 'data-name': name };
  if (place) Object.assign(node.attributes, { 'data-island': place.key, 'data-props': props.json });
  if (outcome.kind === 'rendered') {
    if (!outcome.isGuess) node.attributes['data-rendered'] = true;
    node.children = islandNodes(outcome.tree, props.slots, shown);
  } else {
    if (outcome.browser === 'asks') node.attributes['data-asks'] = true;
    node.children = [placeholder(name, false)];
  }
  const visible = comparable(nodeText(node.children));
  const texts = props.texts.filter((text) => text.trim() !== '' && !visible.includes(comparable(text)));
  const hidden = props.slots
    .map((nodes, number) => ({ nodes, number }))
    .filter(({ number }) => isHidden(number, props.wholes, shown));
  const isLost = outcome.kind === 'failed';
  // Content that the component initially hides still belongs to the page; if the component failed, readers see the content.
  node.children.push(
    ...texts.map((value) => slot([{ type: 'text', value }], NO_SLOT, !isLost)),
    ...hidden.map(({ nodes, number }) => slot(nodes, number, !isLost)),
  );
}

/**
 * Whether a slot waits for the component to show it. A piece of content has one slot as a whole and one for what is inside it; a
 * component that shows the inside of one piece shows that of the others later.
 * @param wholes the slots of wholes by those of what is inside them
 */
function isHidden(number: number, wholes: ReadonlyMap<number, number>, shown: ReadonlySet<number>): boolean {
  if (shown.has(number)) return false;
  const showsInsides = [...wholes.keys()].some((inside) => shown.has(inside));
  const whole = wholes.get(number);
  if (whole !== undefined) return showsInsides && !shown.has(whole);
  return !showsInsides || ![...wholes.values()].includes(number);
}

/** Components show the text of their content in their own case and spacing. */
const comparable = (text: string): string => squeeze(text).toLowerCase();

/** The slot of text, which is passed to components unchanged. */
const NO_SLOT = -1;

function slot(nodes: ContentNode[], number: number, isHidden: boolean): ContentNode {
  const attributes: ElementNode['attributes'] = { 'data-slot': number };
  if (isHidden) attributes.hidden = true;
  return { type: 'element', tag: SLOT_TAG, attributes, children: nodes };
}

const CONSEQUENCES = {
  runs: 'It is rendered in the browser only',
  asks: 'Readers must start it in the browser',
  never: 'A placeholder is shown instead',
} as const;

function failure({ name, place, file }: IslandRequest, outcome: Extract<IslandOutcome, { kind: 'failed' }>): Diagnostic {
  return {
    severity: 'warning',
    code: 'island-failed',
    message: `<${name}> could not be rendered on the server: ${outcome.reason}. ${CONSEQUENCES[outcome.browser]}.`,
    remedy: 'Correct the component. Move code that needs the browser into useEffect or an event handler.',
    file: place.file ?? file,
    ...(place.line === undefined ? {} : { line: place.line }),
  };
}
