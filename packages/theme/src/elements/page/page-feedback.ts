import { pageData } from '../page-data.ts';
import { randomId } from '../storage.ts';
import { showFeedbackForm } from './start-later.ts';

/** The feedback on pages opened since the document was loaded: its ids, by path. */
const ids = new Map<string, string>();

function idOf(path: string): string {
  const existingId = ids.get(path);
  if (existingId) return existingId;
  const id = randomId(16);
  ids.set(path, id);
  return id;
}

/**
 * Sends the form, and shows on it whether that worked. Sending again replaces the earlier feedback.
 */
export async function sendFeedback(form: HTMLFormElement, isWhole: boolean): Promise<void> {
  const { feedback, href } = pageData();
  const pressed = form.querySelector<HTMLElement>('[data-helpful][aria-pressed="true"]');
  const state = form.querySelector<HTMLElement>('.d-feedback-state');
  if (feedback === undefined || !pressed || !state) return;
  const fields = new FormData(form);
  const helpful = pressed.dataset.helpful === 'true';
  const reason = helpful ? undefined : (fields.get('reason') ?? undefined);
  const comment = String(fields.get('comment') ?? '').trim() || undefined;
  const event = {
    t: 'feedback',
    at: Math.round(performance.now()),
    path: href,
    id: idOf(href),
    helpful,
    reason,
    comment,
  };
  state.textContent = '';
  try {
    // As text, so that browsers send no preflight request to another origin.
    const response = await fetch(new URL(feedback, document.baseURI), {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: JSON.stringify({ v: 1, events: [event] }),
      keepalive: true,
    });
    if (!response.ok) throw new Error(`Feedback returned status ${response.status}.`);
    state.textContent = state.dataset.thanks ?? '';
    if (isWhole) showFeedbackForm(form, false);
  } catch {
    state.textContent = state.dataset.failed ?? '';
  }
}
