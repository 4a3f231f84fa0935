/** The pages of a new site, by path. */
export const STARTER_PAGES: Readonly<Record<string, string>> = {
  'index.mdx': `---
title: "Introduction"
description: "What this is, and where to start."
---

Write what your product does, and for whom, in two or three sentences.

<Columns cols={2}>
  <Card title="Quickstart" icon="rocket" href="/quickstart">
    Change a page and publish it.
  </Card>
</Columns>
`,
  'quickstart.mdx': `---
title: "Quickstart"
description: "Change a page and publish it."
---

<Steps>
  <Step title="Write">
    Change a page in the folder of your site, and preview it while you write: \`docent dev docs\`.
  </Step>
  <Step title="Publish">
    Drop the folder in the dashboard, or run a command:

    \`\`\`bash
    docent publish docs --site <identifier>
    \`\`\`
  </Step>
  <Step title="Ask">
    Ask the assistant how to publish. It answers from these pages and cites its sources.
  </Step>
</Steps>

<Note>Add a page: create a file, and add its path to \`docs.json\`.</Note>
`,
};

/**
 * Where `docent init` writes the JSON Schema, for editors: beside `docs.json`, so that it needs no
 * network; never published.
 */
export const SCHEMA_FILE = '.docent/docs.schema.json';

/**
 * Returns the text of the `docs.json` of a new site.
 * @param navigation its menu
 * @param redirects from the addresses that its pages had
 * @param hasSchema whether `SCHEMA_FILE` is written too
 */
export function starterSettings(
  name: string,
  navigation: object,
  redirects: readonly object[] = [],
  hasSchema = false,
): string {
  const settings = {
    ...(hasSchema && { $schema: `./${SCHEMA_FILE}` }),
    theme: 'mint',
    name,
    colors: { primary: '#0f766e' },
    navigation,
    ...(redirects.length > 0 && { redirects }),
  };
  return `${JSON.stringify(settings, null, 2)}\n`;
}
