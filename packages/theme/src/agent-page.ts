import { html } from '@docent/format/html.ts';
import { plainPage } from './plain-page.ts';

/** Renders the page where a reader lets an agent read as they do. */
export function agentPage({
  siteName,
  client,
  target,
  action,
  fields,
}: {
  siteName: string;
  /** Name that the agent's program gave itself. */
  client: string;
  /** Host or scheme of where the browser goes then. */
  target: string;
  action: string;
  /** Hidden fields of the form. */
  fields: readonly (readonly [name: string, value: string])[];
}): string {
  return plainPage({
    title: `Let an agent read ${siteName}`,
    heading: `Let ${client} read ${siteName}?`,
    content: html`<p>It can search and read what you can read here, until you sign out or your session ends. It continues at <code>${target}</code>; the name is its own.</p><form method="post" action="${action}">${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button type="submit" name="decision" value="allow">Allow</button><button type="submit" name="decision" value="deny">Cancel</button></form>`,
  });
}

/** Renders what a reader sees whom an unknown agent sent. */
export function agentRefusedPage(): string {
  return plainPage({
    title: 'Unknown agent',
    heading: 'This agent is unknown',
    content: html`<p>It did not register here, or asks to continue at another address. Remove it from your tool and add it again.</p>`,
  });
}
