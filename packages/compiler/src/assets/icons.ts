import { readFileSync } from 'node:fs';
import type {
  IconDrawing,
  IconLibrary,
  IconSource,
} from '@docent/format/content/page/page-renderer.ts';
import { nearestName } from '@docent/format/nearest-name.ts';
import { onceForEach } from '@docent/format/once.ts';
import { packagedFile } from '../process/own-modules.ts';

/**
 * The part of the iconify format (`IconifyJSON`) that the installed sets use: they turn, flip and
 * move no icon.
 */
interface IconSet {
  icons: Record<string, Pick<IconDrawing, 'body'> & Partial<IconDrawing>>;
  /** Other names. */
  aliases?: Record<string, { parent: string }>;
  width: number;
  height: number;
}

type SetName = 'fa7-solid' | 'fa7-brands' | 'fa7-regular' | 'lucide' | 'tabler';
type Library = IconLibrary;

const OTHERS: Record<Library, readonly Library[]> = {
  fontawesome: ['lucide', 'tabler'],
  lucide: ['tabler', 'fontawesome'],
  tabler: ['lucide', 'fontawesome'],
};

/** Reads the installed icon sets, each when a page first needs it. */
export function createIconSource(): IconSource {
  const drawingsByKey = new Map<string, IconDrawing | undefined>();
  const open = onceForEach(
    (name: SetName): IconSet =>
      JSON.parse(readFileSync(packagedFile(`@iconify-json/${name}/icons.json`), 'utf8')),
  );

  /**
   * Returns the first name that a set has: the requested library takes precedence, then the order
   * of the names.
   */
  function search(
    names: readonly string[],
    library: Library,
    type: string | undefined,
  ): IconDrawing | undefined {
    for (const candidate of [library, ...OTHERS[library]]) {
      for (const name of names) {
        for (const setName of setsFor(candidate, type)) {
          const drawing = draw(open(setName), name);
          if (drawing) return drawing;
        }
      }
    }
    return undefined;
  }

  return {
    find(iconName, library, type) {
      const key = `${library} ${type ?? ''} ${iconName}`;
      if (drawingsByKey.has(key)) return drawingsByKey.get(key);
      const drawing =
        search(exactNames(iconName), library, type) ??
        search(nearestNames(iconName), library, type);
      drawingsByKey.set(key, drawing);
      return drawing;
    },
    nearest(name, library) {
      const sets = setsFor(library, undefined).map(open);
      return nearestName(
        exactNames(name)[0] ?? '',
        sets.flatMap(({ icons, aliases = {} }) => [...Object.keys(icons), ...Object.keys(aliases)]),
      );
    },
  };
}

/**
 * Returns the sets to search, the requested style first. Commercial styles (light, thin, duotone,
 * sharp) map to the nearest free one.
 */
function setsFor(library: Library, type: string | undefined): readonly SetName[] {
  if (library !== 'fontawesome') return [library];
  if (type === 'brands') return ['fa7-brands', 'fa7-solid', 'fa7-regular'];
  if (type !== undefined && /regular|light|thin/.test(type))
    return ['fa7-regular', 'fa7-solid', 'fa7-brands'];
  return ['fa7-solid', 'fa7-brands', 'fa7-regular'];
}

function draw(
  { icons, aliases = {}, width, height }: IconSet,
  name: string,
): IconDrawing | undefined {
  const plain = Object.hasOwn(aliases, name) ? (aliases[name]?.parent ?? '') : name;
  const icon = Object.hasOwn(icons, plain) ? icons[plain] : undefined;
  return icon && { width: icon.width ?? width, height: icon.height ?? height, body: icon.body };
}

/**
 * Names that no free set contains, with the nearest free icon: commercial icons, and names of older
 * releases. If the first words of a name are an icon themselves (`spinner-third`, `lightbulb-on`),
 * `nearestNames` finds it without an entry here.
 */
const NEAREST = `
album-collection images | analytics chart-line | apple-crate box | arrow-progress arrow-right-long | arrow-turn-left arrow-turn-up
arrows-retweet retweet | badge-dollar circle-dollar-to-slot | ballot list-check | banjo guitar | barn-silo warehouse | bee bug
billboard rectangle-ad | bin trash-can | block cube | block-quote quote-left | box-ballot box-archive | brackets-curly braces
brackets-round parentheses | bring-forward layer-group | browsers window-restore | camera-cctv cctv | camera-movie video | cart cart-shopping
cart-circle-plus cart-plus | chart-line-down arrow-trend-down | chart-line-up arrow-trend-up | chart-mixed chart-column
chart-tree-map table-cells-large | chart-user chart-line | check-circle-o circle-check | circle-bolt bolt | circle-book-open book-open
circle-bookmark bookmark | circle-code code | circle-envelope envelope | circle-phone phone | circle-quarters circle-half-stroke | circle-sort sort
circle-wifi wifi | clipboard-list-check clipboard-check | coffin-cross cross | coin-blank coins | coin-vertical coins | command-line terminal
conveyor-belt boxes-stacked | corner arrow-turn-up | cowbell bell | cursor i-cursor | debug bug | diagram-cells table-cells
diagram-lean-canvas table-columns | diagram-nested sitemap | diagram-previous diagram-predecessor | diagram-sankey diagram-project
diagram-subtask sitemap | diagram-venn circle-half-stroke | dial gauge | dial-max gauge-high | display-code laptop-code | do-not-enter ban | docs book
dollar-circle circle-dollar-to-slot | drone-front helicopter | duck feather | edit-alt pen-to-square | elephant hippo | email envelope
engine-warning gears | error circle-exclamation | face-party face-laugh-beam | face-thinking face-meh | family people-roof | faq circle-question
feature star | files-medical copy | fire-flame fire-flame-curved | flask-round-potion flask | flux-capacitor bolt | game-board chess-board
game-console-handheld gamepad | garage warehouse | gauge-circle-bolt gauge-high | gauge-max gauge-high | graph-network circle-nodes
grate-droplet faucet-drip | grid-2 table-cells-large | grid-3 table-cells | grid-4 table-cells | grid-5 table-cells | grid-round table-cells-large
hand-horns hand-back-fist | hand-wizard hand-sparkles | head-side brain | head-side-goggles vr-cardboard | head-side-headphones headphones
high-definition tv | hockey-mask mask | hook webhook | inboxes inbox | input-numeric keyboard | input-pipe i-cursor | input-text i-cursor
install download | integration plug | integrations plug | island-tropical umbrella-beach | keynote person-chalkboard | knife utensils
laptop-binary laptop-code | lasso-sparkles draw-polygon | layer layer-group | light-switch toggle-on | list-dropdown rectangle-list
list-radio list-ul | list-timeline timeline | llama horse | loveseat couch | machine gears | manual book | memo file-lines
memo-circle-check file-circle-check | memo-pad clipboard | message-bot robot | message-lines comment-dots | message-sms comment-sms
messages-dollar comments-dollar | messages-question comments | meter gauge | method code | microservice cubes | mobile-notch mobile-screen
mobile-signal mobile-screen | money coins | monitor-waveform heart-pulse | nfc-signal wifi | notebook-alt book | object-exclude object-ungroup
object-intersect object-group | object-subtract object-ungroup | object-union object-group | objects-align-left align-left
objects-column table-columns | octopus spaghetti-monster-flying | overview binoculars | package-icon box | page file | pages copy | patent certificate
pen-swirl signature | performance gauge-high | permission user-lock | person-sign person-chalkboard | person-to-door person-walking-arrow-right
phone-arrow-down-left phone-incoming | phone-arrow-right phone-outgoing | phone-arrow-up-right phone-outgoing | phone-hangup phone-slash
pipe grip-lines-vertical | pipe-section faucet | pipe-valve faucet | planet-moon globe | planet-ringed globe | policy file-shield
presentation-screen person-chalkboard | process gears | queue list-ol | quickstart rocket | rabbit-running person-running | rack server | raygun bolt
rectangle-api code | rectangle-code code | rectangle-history clock-rotate-left | rectangle-terminal terminal
rectangle-vertical-history clock-rotate-left | rectangles-mixed table-cells-large | redis database | reference book | release rocket | sail sailboat
scalpel-line-dashed scissors | scanner barcode | scanner-image image | scanner-keyboard keyboard | screencast video | scripts scroll
seal certificate | search-alt magnifying-glass | secret key | security shield-halved | send-backward layer-group | sensor wifi | setting gear
share-all share-nodes | shelves boxes-stacked | sidebar-flip table-columns | signal-stream tower-broadcast | simple-icons icons | siren-on bell
slider sliders | slot-machine dice | snake staff-snake | snippet code | solar-system sun | speakers volume-high | speed gauge-high | square-bolt bolt
square-ellipsis ellipsis | square-fragile box | square-info circle-info | square-list list | square-question circle-question | square-quote quote-left
square-sliders sliders | squid spaghetti-monster-flying | starfighter rocket | start play | storage database | success circle-check | support headset
symbols icons | table-layout table-columns | table-rows table-list | table-tree folder-tree | tally list-check | thought-bubble comment
to-dotted-line arrow-right-to-bracket | tools-alt screwdriver-wrench | transporter person-booth | truck-bolt truck-fast | tutorial graduation-cap
twitter-x x-twitter | typewriter keyboard | unicorn horse-head | up-icon arrow-up | update rotate | upgrade circle-up | user-robot robot
user-visor user-astronaut | vacuum wind | vacuum-robot robot | vector-circle bezier-curve | virtual-reality vr-cardboard
warning-alt triangle-exclamation | watch-smart clock | wave wave-square | wave-pulse activity | waveform audio-waveform | web globe | website globe
whale fish | widget puzzle-piece | window-flip window-maximize | window-frame table-cells-large | workflow-icon diagram-project | zap-alt bolt
`;

const RENAMED: ReadonlyMap<string, string> = new Map(
  NEAREST.split(/[|\n]/)
    .map((pair) => pair.trim().split(' '))
    .filter((pair): pair is [string, string] => pair.length === 2),
);

const NAME = /^[a-z\d][a-z\d-]{0,80}$/;

const SHAPES = new Set('circle square rectangle hexagon octagon triangle diamond'.split(' '));

/** Words that say how an icon is drawn rather than what it shows. */
const STYLE_WORDS =
  /^(?:sharp-)?(?:duotone|sharp|solid|regular|light|thin|filled|outlined?|fa[srlbtd]?|icon)-|-(?:duotone|sharp|solid|regular|light|thin|fill|filled|outlined?|alt|o|icon)$/g;

/**
 * Normalizes spellings of one name: `fa-house`, `fa-solid fa-house`, `fas:house`, `lucide:house`,
 * `IconHouse`, `HouseIcon`,
 * `GitHub`.
 */
function exactNames(iconName: string): string[] {
  const words = iconName.trim().split(/[\s:]+/);
  const plain = (words.at(-1) ?? '').replace(/^fa-/i, '').replaceAll('_', '-');
  const kebab = plain.replace(/([a-z\d])([A-Z])/g, '$1-$2');
  return valid([plain, kebab.toLowerCase(), plain.toLowerCase()]);
}

/**
 * Returns names of similar icons for a name that no set has, nearest first: its replacement in the
 * table, then the icons that its first words name, without a shape around them.
 */
function nearestNames(iconName: string): string[] {
  const candidates: string[] = [];
  for (const exact of exactNames(iconName)) {
    const bare = exact.replace(STYLE_WORDS, '');
    if (RENAMED.has(exact) || bare !== exact) candidates.push(RENAMED.get(exact) ?? bare);
    const words = bare.split('-');
    for (let count = words.length; count > 0; count--) {
      // The symbol inside a shape is more specific than the shape.
      if (count === 1 && SHAPES.has(words[0] as string)) candidates.push(words.slice(1).join('-'));
      const start = words.slice(0, count).join('-');
      candidates.push(RENAMED.get(start) ?? start);
    }
  }
  return valid(candidates).filter((name) => name.length > 2);
}

function valid(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => NAME.test(name));
}
