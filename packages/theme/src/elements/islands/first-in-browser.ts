import { type ComponentChildren, createElement as h, isValidElement } from 'preact';

/** Props of a built-in component, as the author's code gives them. */
export type PartProps = Record<string, unknown> & { children?: ComponentChildren };

const CALLOUTS: ReadonlyMap<string, string> = new Map([
  ['Note', 'note'],
  ['Info', 'info'],
  ['Tip', 'tip'],
  ['Check', 'check'],
  ['Warning', 'warning'],
  ['Danger', 'danger'],
  ['Callout', 'custom'],
]);

/** Components that only hold others. */
const GROUPS: ReadonlyMap<string, string> = new Map([
  ['Columns', 'd-columns card-group columns'],
  ['CardGroup', 'd-columns card-group columns'],
  ['AccordionGroup', 'd-accordion-group accordion-group'],
]);

/** The icons that scripts name, by name: the build has drawn them for later. */
export const lateIcons = new Map<string, string>();

/**
 * Returns a substitute for a built-in component that the build has not rendered with these props,
 * because code first shows it in the browser: the same element with what the browser has. Colors of
 * code and tabs need the build.
 */
export function firstInBrowser(
  name: string,
  props: PartProps,
  children: ComponentChildren,
): ComponentChildren {
  const title = shown(props.title);
  if (name === 'Icon') return iconOf(props.icon ?? props.src ?? props.name, props);
  if (name === 'Badge')
    return h('span', { class: 'd-badge', 'data-badge': '', ...badgeLook(props) }, children);
  if (name === 'Tooltip' || name === 'Link') return h('span', null, children);
  if (name === 'CodeBlock') return codeBlock(shown(props.filename ?? props.title), children);
  if (name === 'Card') return card(title, props, children);
  if (name === 'Accordion' || name === 'Expandable') {
    const [kind, part] = name === 'Accordion' ? ['accordion', 'fold'] : ['expandable', 'more'];
    const sign = h('i', { class: 'd-sign', 'data-sign': 'chevron', 'aria-hidden': 'true' });
    const head = h('span', { class: `d-${part}-title` }, title ?? 'Details');
    const summary = h('summary', null, sign, head);
    const open = props.defaultOpen === true || props.defaultOpen === 'true';
    return h(
      'details',
      { class: `d-${kind} ${kind}`, open },
      summary,
      h('div', { class: `d-${part}-body` }, children),
    );
  }
  const group = GROUPS.get(name);
  if (group !== undefined)
    return h('div', { class: group, 'data-cols': Number(props.cols) || 2 }, children);
  const heading = title === undefined ? null : h('p', null, h('strong', null, title));
  const callout = CALLOUTS.get(name);
  if (callout === undefined) return h('div', null, heading, children);
  const box = {
    class: 'd-callout callout',
    'data-kind': callout,
    role: 'note',
    style: calloutColor(props.color),
  };
  const icon = iconOf(props.icon) ?? (callout === 'custom' ? null : h('i', { class: 'd-sign' }));
  const sign =
    icon === null ? null : h('div', { class: 'd-remark-sign', 'aria-hidden': 'true' }, icon);
  return h('div', box, sign, h('div', { class: 'd-remark-body' }, heading, children));
}

/** A title: text or JSX. */
function shown(value: unknown): ComponentChildren {
  return (typeof value === 'string' && value !== '') || isValidElement(value) ? value : undefined;
}

/** An icon: JSX, an image, or what the build has drawn. */
function iconOf(icon: unknown, { size, color, className }: PartProps = {}): ComponentChildren {
  if (isValidElement(icon)) return icon;
  const drawn = lateIcons.get(String(icon));
  if (drawn !== undefined) {
    const style = {
      color: typeof color === 'string' ? color : undefined,
      fontSize: Number(size) > 0 ? `${Number(size)}px` : undefined,
    };
    return h('span', { class: className, style, dangerouslySetInnerHTML: { __html: drawn } });
  }
  const isImage = typeof icon === 'string' && /^(?:\.{0,2}\/|https?:|data:image\/)/.test(icon);
  return isImage
    ? h('img', { class: 'd-icon', src: icon, alt: '', width: '1em', height: '1em' })
    : null;
}

function badgeLook({ color, size, shape }: PartProps): Record<string, unknown> {
  return {
    'data-color': color ?? 'gray',
    'data-size': size ?? 'md',
    'data-shape': shape === 'pill' ? shape : undefined,
  };
}

function calloutColor(color: unknown): string | undefined {
  return typeof color === 'string' && /^[#\w(),.%/ -]+$/.test(color)
    ? `--d-tone:${color}`
    : undefined;
}

function codeBlock(title: ComponentChildren, children: ComponentChildren): ComponentChildren {
  const head =
    title === undefined
      ? null
      : h('div', { class: 'd-src-bar' }, h('span', { class: 'd-src-title' }, title));
  return h('div', { class: 'd-code' }, head, h('pre', null, h('code', null, children)));
}

function card(
  title: ComponentChildren,
  { href, icon }: PartProps,
  children: ComponentChildren,
): ComponentChildren {
  const isLink = typeof href === 'string';
  const label = isLink ? h('a', { class: 'd-box-link', href }, title) : title;
  const text = h(
    'div',
    { class: 'd-box-text' },
    h('div', { class: 'd-box-title' }, label),
    h('div', { class: 'd-box-body' }, children),
  );
  return h(
    'div',
    { class: 'd-card card', 'data-link': isLink ? '' : undefined },
    h('div', { class: 'd-box-inner' }, iconOf(icon), text),
  );
}
