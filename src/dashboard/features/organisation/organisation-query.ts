import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';

/** Queries about the organization itself. */
export function organisationQuery(org: string) {
  return queryOptions({ queryKey: [org, 'organisation'], queryFn: () => bodyOf(api.GET('/v1/organisation')) });
}
