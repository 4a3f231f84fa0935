import './shared.ts';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { Application } from './application.tsx';
import { createDashboardRouter } from './routes/router.ts';
import { loadOnDemandModules } from './ui/on-demand.ts';

/** After the first page, which has the network to itself until then. */
const IDLE_MS = 3000;

/** Lets the browser handle input and paint between two long pieces of work. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

await nextTask();
const router = createDashboardRouter();
const app = document.getElementById('app') as HTMLElement;

// Until the page can be shown, the document shows what it looks like without data.
await router.load();
await nextTask();
app.inert = false;
startTransition(() =>
  createRoot(app).render(
    <StrictMode>
      <Application router={router} />
    </StrictMode>,
  ),
);
setTimeout(loadOnDemandModules, IDLE_MS);
