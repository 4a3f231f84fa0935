import { attributes, html, joinHtml } from '../../html.ts';
import { NodesValue, type PropValue } from '../nodes/content-node.ts';
import { element, line, nodes } from '../nodes/plain-nodes.ts';
import { anchorOf, defineComponent, ID_PROP, labelOf } from './define-component.ts';

export const update = defineComponent({
  names: ['Update'],
  summary:
    'An entry of a changelog, which appears in the table of contents. Readers can filter by tag.',
  example: `<Update label="May 2026" description="v1.4" tags={['API']}>
  The status of a job says how many pages are done.
</Update>`,
  props: {
    label: { type: 'title', description: 'The date or the version.' },
    description: { type: 'title', description: 'A line below the label.' },
    tags: { type: 'list', description: 'The tags for filtering.' },
    rss: {
      type: 'data',
      description: 'Title and description for feeds: `{ title, description }`.',
    },
    ...ID_PROP,
  },
  html(props, node, page) {
    const label = labelOf(props.label) ?? 'Update';
    const id = anchorOf(props, node, page, label);
    const description = props.description && page.render(props.description);
    page.addTocEntry(2, id, label);
    page.need('docent-update');
    const { tags } = props;
    const badges = tags.map(
      (tag) =>
        html`<span class="d-badge" data-component-part="update-tag" data-color="gray" data-size="sm">${tag}</span>`,
    );
    const attrs = attributes({
      id,
      'data-tags': tags.length > 0 ? JSON.stringify(tags) : undefined,
      ...feedTexts(props.rss),
    });
    return html`<docent-update class="d-update update" data-component="update"${attrs}><div class="d-entry-side"><a class="d-entry-label" data-component-part="update-label" href="#${id}">${
      props.label ? page.render(props.label) : label
    }</a>${description && html`<div class="d-entry-text" data-component-part="update-description">${description}</div>`}${
      badges.length > 0
        ? html`<div class="d-entry-tags" data-component-part="update-tag-list">${joinHtml(badges)}</div>`
        : undefined
    }</div><div class="d-entry-body" data-component-part="update-content">${page.render(node.children)}</div></docent-update>`;
  },
  markdown({ label, description, tags }, { children }) {
    const heading = label ? [{ ...element('h2', {}, label), hasOwnAnchor: true }] : [];
    return nodes(heading, line(description), line(tags.join(', ')), children);
  },
});

/** Replaces the entry itself in the page's feed. */
function feedTexts(rss: PropValue): Record<string, string> {
  if (typeof rss !== 'object' || rss === null || Array.isArray(rss) || rss instanceof NodesValue)
    return {};
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(rss)) {
    if ((name === 'title' || name === 'description') && typeof value === 'string')
      texts[`data-rss-${name}`] = value;
  }
  return texts;
}
