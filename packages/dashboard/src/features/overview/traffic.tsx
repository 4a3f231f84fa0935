import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import type { Site } from '../../api/queries.ts';
import { count } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { TimeChart, type TimePoint } from '../../ui/time-chart.tsx';

const DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * The views of a site in this week, day by day, compared with the week before; nothing while none
 * is counted.
 */
export function Traffic({ site: { projectId, slug }, org }: { site: Site; org: string }) {
  const { data } = useQuery({
    queryKey: ['analytics', projectId, 'overview'],
    queryFn: () => {
      const query = {
        dateFrom: new Date(startOfWeek() - DAYS * DAY_MS).toISOString(),
        limit: 2 * DAYS,
      };
      return api.get('/v1/analytics/{projectId}/traffic-by-day', { path: { projectId }, query });
    },
  });
  if (!data || data['traffic-by-day'].length === 0) return null;
  const points = weekOf(data['traffic-by-day']);
  const sumOf = (name: 'human' | 'ai') => points.reduce((sum, point) => sum + point[name], 0);
  return (
    <Card
      title="Views this week"
      about={`${count(sumOf('human'))} by readers, ${count(sumOf('ai'))} by AI`}
      action={
        <Link
          to="/$org/$domain/analytics"
          params={{ org, domain: slug }}
          search={{ days: String(DAYS) }}
          className="text-s text-accent-text hover:underline"
        >
          All analytics
        </Link>
      }
      isPadded
    >
      <TimeChart label="Views by day" unit="day" points={points} height={96} />
    </Card>
  );
}

/** Milliseconds of the first of the last seven days, today included, in UTC. */
function startOfWeek(): number {
  return Math.floor(Date.now() / DAY_MS) * DAY_MS - (DAYS - 1) * DAY_MS;
}

/** A point for each day of the week, with the views of the same day a week before. */
function weekOf(traffic: readonly { startsAt: string; human: number; ai: number }[]): TimePoint[] {
  const byDay = new Map(
    traffic.map(({ startsAt, human, ai }) => [Date.parse(startsAt), { human, ai }]),
  );
  const none = { human: 0, ai: 0 };
  return Array.from({ length: DAYS }, (_, index) => {
    const at = startOfWeek() + index * DAY_MS;
    const earlier = byDay.get(at - DAYS * DAY_MS) ?? none;
    return {
      at: new Date(at).toISOString(),
      ...(byDay.get(at) ?? none),
      before: earlier.human + earlier.ai,
    };
  });
}
