import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api, bodyOf, type Schema } from '../../api/client.ts';
import { notify, notifyFailure } from '../../ui/overlays/notify.ts';
import { useScope } from '../analytics/analytics-query.ts';

export type Feedback = Omit<Schema<'Feedback'>, 'contact'>;
export type Status = Feedback['status'];
type Changes = Partial<Pick<Feedback, 'status' | 'note'>>;
type List = InfiniteData<{ feedback: Feedback[]; nextCursor: string | null }>;

export const STATUSES = {
  pending: ['Open', 'warning'],
  in_progress: ['In progress', 'active'],
  resolved: ['Resolved', 'success'],
  dismissed: ['Dismissed', 'neutral'],
} as const;

/** Filters of the list in the page's URL. */
export function useFeedbackFilters() {
  const scope = useScope();
  const { helpful, status, kind } = useSearch({ strict: false });
  const about = kind === 'page' || kind === 'answer' ? kind : undefined;
  const filters = {
    ...scope.asked,
    ...((helpful === 'true' || helpful === 'false') && { helpful: helpful as 'true' | 'false' }),
    ...(status !== undefined && status in STATUSES && { status }),
    ...(about !== undefined && { about: about as 'page' | 'answer' }),
    ...(kind === 'agent' && { source: 'agent' }),
    ...(kind === 'previews' && { previews: 'true' as const }),
  };
  return { ...scope, filters, helpful, status, kind };
}
export type FeedbackFilters = ReturnType<typeof useFeedbackFilters>;

const listKey = ({ org, projectId, filters }: FeedbackFilters) => [org, 'feedback', projectId, filters];

export function useFeedback(scope: FeedbackFilters) {
  const { projectId, filters } = scope;
  return useInfiniteQuery({
    queryKey: listKey(scope),
    queryFn: ({ pageParam }) => {
      const query = { ...filters, limit: 50, ...(pageParam !== null && { cursor: pageParam }) };
      return bodyOf(api.GET('/v1/analytics/{projectId}/feedback', { params: { path: { projectId }, query } }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });
}

export function useFeedbackByPage({ org, projectId, filters }: FeedbackFilters) {
  return useQuery({
    queryKey: [org, 'feedback-by-page', projectId, filters],
    queryFn: () => {
      const query = { ...filters, limit: 10 };
      return bodyOf(api.GET('/v1/analytics/{projectId}/feedback/by-page', { params: { path: { projectId }, query } }));
    },
    placeholderData: keepPreviousData,
  });
}

/** Shows a change optimistically and reverts it if it fails; a status change can be undone. */
export function useChangeFeedback(scope: FeedbackFilters) {
  const queries = useQueryClient();
  const show = (id: string, changes: Changes) =>
    queries.setQueryData<List>(listKey(scope), (old) => {
      if (!old) return old;
      const change = (row: Feedback) => (row.id === id ? { ...row, ...changes } : row);
      return { ...old, pages: old.pages.map((page) => ({ ...page, feedback: page.feedback.map(change) })) };
    });
  const change = async (row: Feedback, changes: Changes, canUndo = true): Promise<void> => {
    const before: Changes = { status: row.status, note: row.note };
    show(row.id, changes);
    try {
      const path = { projectId: scope.projectId, feedbackId: row.id };
      await bodyOf(api.PATCH('/v1/analytics/{projectId}/feedback/{feedbackId}', { params: { path }, body: changes }));
      const text = changes.status === undefined ? 'Note saved' : `Marked as ${STATUSES[changes.status][0].toLowerCase()}`;
      notify(text, canUndo ? () => void change({ ...row, ...changes }, before, false) : undefined);
    } catch (error) {
      show(row.id, before);
      notifyFailure('The feedback could not be changed', error);
    }
  };
  return change;
}
