import type { Dropped } from './read-drop.ts';

const FILES: Record<string, string> = {
  'docs.json': JSON.stringify(
    {
      $schema: `${window.location.origin}/docs.schema.json`,
      theme: 'mint',
      name: 'Sample',
      colors: { primary: '#0d9488' },
      navigation: { groups: [{ group: 'Start', pages: ['index', 'quickstart', 'components'] }] },
    },
    null,
    2,
  ),
  'index.mdx': `---
title: "Welcome"
description: "A small site to begin with."
---

This site is a \`docs.json\`, which holds the navigation, and a few pages in MDX. Replace them with yours.

<CardGroup cols={2}>
  <Card title="Quickstart" icon="rocket" href="/quickstart">Change a page and publish it.</Card>
  <Card title="Components" icon="blocks" href="/components">What pages can hold.</Card>
</CardGroup>
`,
  'quickstart.mdx': `---
title: "Quickstart"
description: "Change a page and publish it."
---

<Steps>
  <Step title="Write">Make a folder with a \`docs.json\` and pages, and look at it while you write: \`docent dev docs\`.</Step>
  <Step title="Publish">Drop the folder in the dashboard, or run \`docent publish docs --site sample\`.</Step>
  <Step title="Ask">Ask the assistant how to publish. It answers from these pages and names its sources.</Step>
</Steps>
`,
  'components.mdx': `---
title: "Components"
description: "What pages can hold."
---

<Note>Notes, tips and warnings stand out.</Note>

<CodeGroup>
\`\`\`bash Terminal
docent publish docs --site sample
\`\`\`

\`\`\`json docs.json
{ "name": "Sample" }
\`\`\`
</CodeGroup>

<AccordionGroup>
  <Accordion title="What else is there?">Tabs, tables, diagrams, formulas, pages from API descriptions and more.</Accordion>
</AccordionGroup>
`,
};

/** A small starter site, in the form of a dropped folder. */
export function sampleSource(): Dropped {
  const files = Object.entries(FILES).map(([path, text]) => ({ path, content: new Blob([text]) }));
  return { kind: 'folder', name: 'sample', files };
}
