import { type AnalyticsEvent, groupsOf } from './analytics-event.ts';
import { isoDayOf } from './days.ts';

/** A visit ends after its reader showed no page of the site for this long. */
const VISIT_PAUSE_MS = 30 * 60 * 1000;
/** A search counts as refined if another one follows within this time. */
const REFINED_WITHIN_MS = 30_000;

export const sumNames = [
  'events',
  'human',
  'ai',
  // Distinct clients of a day, summed over days: readers and AI together, then separately.
  'visitors',
  'humanVisitors',
  'aiVisitors',
  // Searches with an opened result, without results, and followed by another within 30 s.
  'opened',
  'empty',
  'refined',
  // Sum of the events' amounts.
  'amount',
] as const;
export type Sums = Record<(typeof sumNames)[number], number>;

const NO_SUMS = Object.fromEntries(sumNames.map((name) => [name, 0])) as Sums;

/** Returns how a dimension groups an event; undefined if it does not count it. */
type Grouping = (event: AnalyticsEvent) => readonly [key: string, detail?: string] | undefined;

/**
 * The dimensions that figures are grouped by. Every report is defined here;
 * `docs/guides/analytics.mdx` explains them to readers.
 */
const dimensions = {
  view: ({ kind }) => (kind === 'view' ? [''] : undefined),
  hour: ({ kind, at }) => (kind === 'view' ? [at.toISOString().slice(11, 13)] : undefined),
  source: (event) => (isReading(event) && event.source !== 'internal' ? [event.source] : undefined),
  campaign: (event) => (isReading(event) && event.campaign !== '' ? [event.campaign] : undefined),
  device: (event) => (isReading(event) ? [event.device, event.browser] : undefined),
  language: (event) => (isReading(event) ? [event.language] : undefined),
  version: (event) => (isReading(event) ? [event.version] : undefined),
  machine: (event) => (isByMachine(event) ? [event.class, event.agent] : undefined),
  surface: (event) => (isByMachine(event) ? [event.name, event.class] : undefined),
  missing: ({ kind, name, source }) => (kind === 'missing' ? [name, source] : undefined),
  outbound: (event) => (isByReader(event, 'outbound') ? [event.name] : undefined),
  action: (event) => (isByReader(event, 'action') ? [event.name, event.target] : undefined),
  time: (event) => (isByReader(event, 'time') ? [''] : undefined),
  search: (event) => (isByReader(event, 'search') ? [event.name.toLowerCase()] : undefined),
  click: (event) =>
    isByReader(event, 'search') && event.target !== ''
      ? [event.name.toLowerCase(), event.target]
      : undefined,
  // The last view of a visit is only known once the next view arrives.
  exit: () => undefined,
  // An event counts for each group of its reader.
  group: () => undefined,
} satisfies Record<string, Grouping>;
export type Dimension = keyof typeof dimensions;

/** The kinds of events that each dimension counts; of the others, nothing has to be read. */
export const KINDS: Record<Dimension, readonly AnalyticsEvent['kind'][]> = {
  view: ['view'],
  hour: ['view'],
  source: ['view'],
  campaign: ['view'],
  device: ['view'],
  language: ['view'],
  version: ['view'],
  machine: ['view', 'fetch'],
  surface: ['view', 'fetch'],
  missing: ['missing'],
  outbound: ['outbound'],
  action: ['action'],
  time: ['time'],
  search: ['search'],
  click: ['search'],
  exit: ['view'],
  group: ['view', 'search', 'action'],
};
export const DIMENSIONS = Object.keys(dimensions) as Dimension[];

/** What is counted of a group of readers. */
export const GROUP_ACTIVITIES = ['view', 'search', 'question'] as const;

function activityOf(event: AnalyticsEvent): (typeof GROUP_ACTIVITIES)[number] | undefined {
  if (event.class !== 'human') return undefined;
  if (event.kind === 'view' || event.kind === 'search') return event.kind;
  return event.kind === 'action' && event.name === 'question' ? 'question' : undefined;
}

const isByReader = (event: AnalyticsEvent, kind: AnalyticsEvent['kind']) =>
  event.kind === kind && event.class === 'human';
const isReading = (event: AnalyticsEvent) => isByReader(event, 'view');
const isByMachine = ({ kind, class: by }: AnalyticsEvent) =>
  (kind === 'view' || kind === 'fetch') && by !== 'human';

/**
 * Parts of a site that have their own figures: the whole site, a version, a language, both, or a
 * page.
 */
export const SCOPES = ['all', 'version', 'language', 'both', 'path'] as const;
export type Scope = (typeof SCOPES)[number];

/** The subject of a figure. Columns that its scope does not distinguish are empty. */
export interface FigureGroup {
  siteId: string;
  /** UTC: `2026-11-22`. */
  day: string;
  dimension: Dimension;
  scope: Scope;
  path: string;
  version: string;
  language: string;
  key: string;
  detail: string;
}

/** A figure of a day, or the increment that events add to one. */
export interface DayFigure extends FigureGroup, Sums {
  lastAt: Date;
}

/**
 * What one visitor added to a figure. `counts`: now; `counted`: already included in the figures.
 */
interface Share extends Sums {
  group: Omit<FigureGroup, 'siteId' | 'day'>;
  counts: { human: boolean; ai: boolean };
  counted: { human: boolean; ai: boolean };
  lastAt: number;
}

/**
 * A view or search that the next one classifies: the latest, and the latest that was counted
 * before.
 */
interface Waiting {
  now?: AnalyticsEvent | undefined;
  old?: AnalyticsEvent | undefined;
}

/** Counts figures from events. @param wants which figures; all by default */
export function createFigureCounter(
  wants: {
    dimensions: readonly Dimension[];
    scopes: readonly Scope[];
    includes?: (group: Share['group']) => boolean;
  } = {
    dimensions: DIMENSIONS,
    scopes: SCOPES,
  },
) {
  /** By site and day, then as shares. */
  let figures = new Map<string, Map<string, DayFigure>>();
  let shares = new Map<string, Share>();
  let current: { siteId: string; visitor: string; day: string } | undefined;
  let view: Waiting = {};
  let search: Waiting = {};
  const countsExits = wants.dimensions.includes('exit');
  const countsGroups = wants.dimensions.includes('group');
  const countsSearches = wants.dimensions.includes('search');

  function shareOf(
    event: AnalyticsEvent,
    dimension: Dimension,
    scope: Scope,
    key: string,
    detail: string,
  ): Share | undefined {
    const { path, version, language } = event;
    if (scope === 'path' && path === '') return undefined;
    if ((scope === 'version' || scope === 'both') && version === '') return undefined;
    if ((scope === 'language' || scope === 'both') && language === '') return undefined;
    const ofVersion = scope === 'all' || scope === 'language' ? '' : version;
    const ofLanguage = scope === 'all' || scope === 'version' ? '' : language;
    const place =
      scope === 'all' ? '' : `${scope === 'path' ? path : ''}\0${ofVersion}\0${ofLanguage}`;
    const id = `${dimension}\0${scope}\0${place}\0${key}\0${detail}`;
    let share = shares.get(id);
    if (!share) {
      const group = {
        dimension,
        scope,
        path: scope === 'path' ? path : '',
        version: ofVersion,
        language: ofLanguage,
        key,
        detail,
      };
      if (wants.includes?.(group) === false) return undefined;
      const nobody = () => ({ human: false, ai: false });
      share = { group, counts: nobody(), counted: nobody(), lastAt: 0, ...NO_SUMS };
      shares.set(id, share);
    }
    return share;
  }

  function contribute(
    event: AnalyticsEvent,
    dimension: Dimension,
    key: string,
    detail: string,
    now: boolean,
    old: boolean,
  ): void {
    const added = Number(now) - Number(old);
    const isHuman = event.class === 'human';
    const isAi = event.class.startsWith('ai.');
    for (const scope of wants.scopes) {
      const share = shareOf(event, dimension, scope, key, detail);
      if (!share) continue;
      share.events += added;
      if (isHuman) share.human += added;
      if (isAi) share.ai += added;
      if (event.kind === 'search' && event.target !== '') share.opened += added;
      if (event.kind === 'search' && event.amount === 0) share.empty += added;
      share.amount += added * event.amount;
      if (now) share.counts = { human: share.counts.human || isHuman, ai: share.counts.ai || isAi };
      if (old)
        share.counted = { human: share.counted.human || isHuman, ai: share.counted.ai || isAi };
      share.lastAt = Math.max(share.lastAt, event.at.getTime());
    }
  }

  /** A view is an exit if no other follows soon. */
  function endView(
    before: AnalyticsEvent | undefined,
    next: AnalyticsEvent | undefined,
    isOld: boolean,
  ): void {
    if (before && (!next || next.at.getTime() - before.at.getTime() > VISIT_PAUSE_MS))
      contribute(before, 'exit', '', '', !isOld, isOld);
  }

  /** A search was refined if another follows soon. */
  function endSearch(
    before: AnalyticsEvent | undefined,
    next: AnalyticsEvent,
    isOld: boolean,
  ): void {
    if (!before || next.at.getTime() - before.at.getTime() > REFINED_WITHIN_MS) return;
    for (const scope of wants.scopes) {
      const share = shareOf(before, 'search', scope, before.name.toLowerCase(), '');
      if (share) share.refined += isOld ? -1 : 1;
    }
  }

  function endVisitor(): void {
    if (!current) return;
    endView(view.now, undefined, false);
    endView(view.old, undefined, true);
    view = {};
    search = {};
    const { siteId, day } = current;
    const place = `${siteId}\0${day}`;
    const ofDay = figures.get(place) ?? new Map<string, DayFigure>();
    figures.set(place, ofDay);
    for (const [id, share] of shares) {
      const { group, counts, counted, lastAt } = share;
      share.humanVisitors = Number(counts.human) - Number(counted.human);
      share.aiVisitors = Number(counts.ai) - Number(counted.ai);
      share.visitors = Number(counts.human || counts.ai) - Number(counted.human || counted.ai);
      if (sumNames.every((name) => share[name] === 0)) continue;
      let figure = ofDay.get(id);
      if (!figure) {
        figure = { siteId, day, ...group, ...NO_SUMS, lastAt: new Date(lastAt) };
        ofDay.set(id, figure);
      }
      for (const name of sumNames) figure[name] += share[name];
      if (lastAt > figure.lastAt.getTime()) figure.lastAt = new Date(lastAt);
    }
    shares = new Map();
  }

  return {
    /**
     * Adds an event; events come in the order of site, visitor and time. Counting distinct visitors
     * needs everything that they did on that day, so pass all events of a visitor's day, those
     * already in the figures with `isOld`.
     */
    add(event: AnalyticsEvent, isOld = false): void {
      const day = isoDayOf(event.at);
      if (
        current?.visitor !== event.visitor ||
        current.day !== day ||
        current.siteId !== event.siteId
      ) {
        endVisitor();
        current = { siteId: event.siteId, visitor: event.visitor, day };
      }
      for (const dimension of wants.dimensions) {
        const grouping: ReturnType<Grouping> = dimensions[dimension](event);
        if (grouping) contribute(event, dimension, grouping[0], grouping[1] ?? '', true, isOld);
      }
      const activity = countsGroups ? activityOf(event) : undefined;
      if (activity)
        for (const group of groupsOf(event))
          contribute(event, 'group', group, activity, true, isOld);
      if (countsExits && isReading(event)) {
        endView(view.now, event, false);
        if (isOld) endView(view.old, event, true);
        view = { now: event, old: isOld ? event : view.old };
      }
      if (countsSearches && isByReader(event, 'search')) {
        endSearch(search.now, event, false);
        if (isOld) endSearch(search.old, event, true);
        search = { now: event, old: isOld ? event : search.old };
      }
    },
    /** Returns what the new events add, and empties the counter. */
    take(): DayFigure[] {
      endVisitor();
      current = undefined;
      const taken = [...figures.values()].flatMap((ofDay) => [...ofDay.values()]);
      figures = new Map();
      return taken;
    },
  };
}

export interface SummedFigure extends Sums {
  name: string;
  detail: string;
}

/**
 * What figures are sorted by; those without any are left out. `readings`: views by readers and AI.
 */
export type FigureOrder = keyof Sums | 'readings';

/** Sums the figures of a dimension of the whole site, or of its pages, largest first. */
export function sumFigures(
  figures: readonly DayFigure[],
  {
    dimension,
    by,
    order,
  }: { dimension: Dimension; by: 'all' | 'day' | 'path' | 'key'; order: FigureOrder },
): SummedFigure[] {
  const rank = (row: Sums) => (order === 'readings' ? row.human + row.ai : row[order]);
  const rows = new Map<string, SummedFigure>();
  for (const figure of figures) {
    if (figure.dimension !== dimension || figure.scope !== (by === 'path' ? 'path' : 'all'))
      continue;
    const name = by === 'all' ? '' : figure[by];
    const detail = by === 'key' ? figure.detail : '';
    const id = `${name}\0${detail}`;
    const row = rows.get(id);
    if (row) for (const sum of sumNames) row[sum] += figure[sum];
    else rows.set(id, { ...figure, name, detail });
  }
  const summedFigures = [...rows.values()].filter((row) => rank(row) > 0);
  if (by === 'day') return summedFigures.sort((a, b) => (a.name < b.name ? -1 : 1));
  return summedFigures.sort((a, b) => rank(b) - rank(a) || (a.name < b.name ? -1 : 1));
}
