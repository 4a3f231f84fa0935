import { messageOf } from '../../api/problem.ts';

const UNDO_MS = 6000;

/** Their code comes after that of the first page. */
const toasts = () => import('./toasts.tsx');

/** Says that something was done; with `undo`, offers to take it back for some seconds. */
export async function notify(title: string, undo?: () => void): Promise<void> {
  const { manager } = await toasts();
  const onClick = () => {
    manager.close(id);
    undo?.();
  };
  const id = manager.add({ title, timeout: UNDO_MS, ...(undo && { actionProps: { children: 'Undo', onClick } }) });
}

/** Says that something failed, and why. */
export async function notifyFailure(title: string, error: unknown): Promise<void> {
  const { manager } = await toasts();
  manager.add({ title, description: messageOf(error), type: 'error', priority: 'high', timeout: 12_000 });
}
