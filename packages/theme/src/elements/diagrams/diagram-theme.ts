/**
 * Returns the colors of the page in a form that the library supports: neither variables nor mixed
 * colors.
 */
function pageColors(): (color: string) => string {
  const probe = document.createElement('span');
  document.body.append(probe);
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const read = (cssColor: string): string => {
    probe.style.color = cssColor.startsWith('--') ? `var(${cssColor})` : cssColor;
    const computed = getComputedStyle(probe).color;
    if (!context) return computed;
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = computed;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  };
  queueMicrotask(() => probe.remove());
  return read;
}

const SERIES = [
  '--d-accent',
  '--d-info',
  '--d-tip',
  '--d-warning',
  '--d-danger',
  '--d-success',
  '--d-neutral',
];

/** The slices of a pie chart: they contain text, so they are mixed with the background. */
function series(color: (variable: string) => string): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [
      `pie${index + 1}`,
      color(
        `color-mix(in srgb, var(${SERIES[index % SERIES.length]}), var(--d-bg) ${45 + 18 * Math.floor(index / SERIES.length)}%)`,
      ),
    ]),
  );
}

/** Returns colors of a diagram, derived from those of the page. */
function pageTheme(isDark: boolean, fontFamily: string): Record<string, unknown> {
  const color = pageColors();
  const text = color('--d-fg');
  const muted = color('--d-fg-muted');
  const surface = color('--d-bg-subtle');
  const node = color('--d-accent-soft');
  const border = color('--d-accent');
  const line = color('--d-fg-subtle');
  return {
    darkMode: isDark,
    background: color('--d-bg'),
    fontFamily,
    fontSize: '15px',
    primaryColor: node,
    primaryTextColor: text,
    primaryBorderColor: border,
    secondaryColor: color('--d-tip-soft'),
    secondaryTextColor: text,
    secondaryBorderColor: color('--d-tip'),
    tertiaryColor: surface,
    tertiaryTextColor: text,
    tertiaryBorderColor: color('--d-border-strong'),
    lineColor: line,
    textColor: text,
    titleColor: text,
    mainBkg: node,
    nodeBorder: border,
    nodeTextColor: text,
    clusterBkg: surface,
    clusterBorder: color('--d-border-strong'),
    edgeLabelBackground: color('--d-bg'),
    noteBkgColor: color('--d-warning-soft'),
    noteTextColor: text,
    noteBorderColor: color('--d-warning'),
    actorBkg: node,
    actorBorder: border,
    actorTextColor: text,
    actorLineColor: color('--d-border-strong'),
    signalColor: muted,
    signalTextColor: text,
    labelBoxBkgColor: surface,
    labelBoxBorderColor: color('--d-border-strong'),
    labelTextColor: text,
    loopTextColor: text,
    activationBkgColor: surface,
    activationBorderColor: line,
    sequenceNumberColor: color('--d-bg'),
    dropShadow: 'none',
    useGradient: false,
    pieStrokeColor: color('--d-bg'),
    pieOuterStrokeColor: color('--d-bg'),
    pieOuterStrokeWidth: '0px',
    pieSectionTextColor: text,
    pieOpacity: '0.9',
    ...series(color),
  };
}

const OWN_THEME = /(?:["']?theme(?:Variables|CSS)?["']?\s*:)\s*["']?(\w+)?/;

/**
 * Returns the background for a diagram whose author chose a theme; undefined if the page's colors
 * are used.
 */
export function authoredBackground(source: string): 'light' | 'dark' | undefined {
  const head = /^(?:---[\s\S]*?\n---|(?:%%\{[\s\S]*?\}%%\s*)+)/.exec(source.trimStart())?.[0];
  const chosen = head === undefined ? undefined : OWN_THEME.exec(head);
  if (!chosen) return undefined;
  return chosen[1] === 'dark' || /darkMode["']?\s*:\s*["']?true/.test(head ?? '')
    ? 'dark'
    : 'light';
}

/**
 * Returns the library's settings for one drawing. `strict` removes scripts and handlers from
 * labels, and no diagram can disable that.
 */
export function diagramConfig(source: string, isDark: boolean): Record<string, unknown> {
  const fontFamily = getComputedStyle(document.body).fontFamily;
  const background = authoredBackground(source);
  const colors = background
    ? { theme: 'default' }
    : { theme: 'base', themeVariables: pageTheme(isDark, fontFamily) };
  return {
    startOnLoad: false,
    securityLevel: 'strict',
    look: 'classic',
    suppressErrorRendering: true,
    fontFamily,
    maxTextSize: 200_000,
    maxEdges: 2_000,
    ...colors,
  };
}
