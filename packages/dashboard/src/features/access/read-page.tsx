import { api } from '../../api/client.ts';
import { OpeningPage } from '../../ui/opening-page.tsx';
import { ACCESS } from './method-forms.tsx';

const open = (projectId: string, path: string) =>
  api.get(`${ACCESS}/open`, { path: { projectId }, query: { path } });

/** Signs a member in to the site, which sent them here for that. */
export function ReadPage() {
  return <OpeningPage title="Opening the site" request={['site-access']} open={open} />;
}
