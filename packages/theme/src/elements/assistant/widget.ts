import { colorTokens } from '../../colors/site-colors.ts';
import type { AssistantMessages } from '../../translations/translations.ts';
import { button, make } from '../dom.ts';
import { readStored, writeStored } from '../storage.ts';
import { AssistantClient } from './assistant-client.ts';
import { readerId } from './conversations.ts';
import { AssistantPanel } from './panel.ts';
import { shadowHost } from './panel-frame.ts';
import { sign } from './signs.ts';

/** The global API of the widget for the page's scripts. */
interface DocentWidget {
  open(question?: string): void;
  close(): void;
}

declare global {
  interface Window {
    DocentWidget?: DocentWidget;
  }
}

/** The options in the script tag; its own URL identifies the Docent server. */
interface WidgetSettings {
  origin: string;
  domain: string;
  key: string;
  label: string | undefined;
  /** Absent: the colors of the site. */
  color: string | undefined;
  /** A value of `color-scheme`. */
  theme: string;
  position: string;
  language: string;
}

function settingsOf(script: HTMLScriptElement): WidgetSettings {
  const { domain, key, label, color, theme, position, language } = script.dataset;
  if (!domain || !key)
    throw new Error('The Docent widget needs data-domain and data-key on its script element.');
  return {
    origin: new URL(script.src).origin,
    domain,
    key,
    label,
    color,
    theme: theme === 'light' || theme === 'dark' ? theme : 'light dark',
    position: position === 'left' ? 'left' : 'right',
    language: language ?? document.documentElement.lang,
  };
}

/** The widget's strings, and their language and direction. */
interface WidgetTexts {
  tag: string;
  direction: 'ltr' | 'rtl';
  messages: AssistantMessages;
}

/** Inserted by the theme build. */
declare const ASSISTANT_TEXTS: AssistantMessages;
const ENGLISH: WidgetTexts = { tag: 'en', direction: 'ltr', messages: ASSISTANT_TEXTS };

/** This script contains English; other languages are loaded, with English as the fallback. */
async function textsIn(language: string, origin: string): Promise<WidgetTexts> {
  if (language === '' || /^en\b/i.test(language)) return ENGLISH;
  try {
    const response = await fetch(
      `${origin}/widget-texts.json?language=${encodeURIComponent(language)}`,
    );
    const { tag, direction, messages } = (await response.json()) as WidgetTexts;
    return { tag, direction, messages: { ...ASSISTANT_TEXTS, ...messages } };
  } catch {
    return ENGLISH;
  }
}

/** The accent in the light and in the dark appearance; none: that of the theme. */
interface WidgetColors {
  light?: string | null | undefined;
  dark?: string | null | undefined;
}

/** Returns the color of the script tag, or else the colors of the site. */
async function colorsOf({ color, domain, origin }: WidgetSettings): Promise<WidgetColors> {
  if (color !== undefined) return { light: color, dark: color };
  try {
    const response = await fetch(
      `${origin}/widget-colors.json?domain=${encodeURIComponent(domain)}`,
    );
    return response.ok ? ((await response.json()) as WidgetColors) : {};
  } catch {
    return {};
  }
}

/** Calls from the page's scripts before strings and colors have loaded are queued. */
function start(settings: WidgetSettings): DocentWidget {
  const panel = Promise.all([textsIn(settings.language, settings.origin), colorsOf(settings)]).then(
    ([texts, colors]) => makeWidget(settings, texts, colors),
  );
  return {
    open: (question) =>
      void panel.then((assistantPanel) =>
        assistantPanel.open(question === undefined ? {} : { question: String(question) }),
      ),
    close: () => void panel.then((assistantPanel) => assistantPanel.close()),
  };
}

function makeWidget(
  settings: WidgetSettings,
  { tag, direction, messages: texts }: WidgetTexts,
  { light, dark }: WidgetColors,
): AssistantPanel {
  const { origin, domain, key } = settings;
  const { host, root } = shadowHost('docent-widget');
  const frame = make('div', 'frame d-tokens');
  root.append(frame);
  for (const element of [host, frame]) Object.assign(element, { lang: tag, dir: direction });
  host.dataset.position = settings.position;
  frame.style.colorScheme = settings.theme;
  const tokens = colorTokens(light ?? undefined, dark ?? undefined);
  for (const [name, value] of Object.entries(tokens)) frame.style.setProperty(name, value);
  const site = encodeURIComponent(domain);
  const client = new AssistantClient(() => ({
    message: `${origin}/v2/assistant/${site}/message`,
    settings: `${origin}/v1/assistant/${site}/settings`,
    feedback: `${origin}/v1/assistant/${site}/feedback`,
    headers: { authorization: `Bearer ${key}` },
  }));
  const stored = `docent-conversations ${origin} ${domain}`;
  const launch = button(
    'launch',
    () => (panel.isOpen ? panel.close() : panel.open()),
    sign('sparkle'),
    make('span', '', settings.label ?? texts.title),
  );
  launch.setAttribute('aria-haspopup', 'dialog');
  frame.append(launch);
  const panel: AssistantPanel = new AssistantPanel(
    {
      client,
      store: {
        read: () => readStored('local', stored),
        write: (text) => writeStored('local', stored, text),
      },
      texts,
      language: tag,
      readAt: () => undefined,
      about: () => ({ fp: readerId(), currentPath: undefined, filter: undefined }),
      newWindow: true,
      onOpen: (isOpen) => launch.setAttribute('aria-expanded', String(isOpen)),
    },
    frame,
  );
  return panel;
}

// Runs once per page, however often the script is included; the tag is only known while its script
// runs.
const { currentScript } = document;
if (!window.DocentWidget && currentScript instanceof HTMLScriptElement) {
  const settings = settingsOf(currentScript);
  const make = (): void => {
    window.DocentWidget ??= start(settings);
  };
  if (document.body) make();
  else document.addEventListener('DOMContentLoaded', make, { once: true });
}
