import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** A text of any length on which an expression may be slow. */
export interface HostileInput {
  before: string;
  repeated: string;
  after: string;
}

/** Characters that represent others of their kind. */
const SIGNS = [...' a0-_"\'`<>()[]{}*+~|\\&;=!@#$%^,.:/?\tA\n\r\u00e9\u3042'];
/** Characters that make most matches fail at the end. */
const ENDINGS = ['', '\u0000', '\n!', 'x'];
const MAX_CHOICES = 4;

/**
 * Returns texts derived from the structure of an expression, on which a backtracking matcher may take more than linear time: what
 * may be repeated, after its required prefix, and followed by something that does not match; and prefixes that are repeated
 * without an end. None for an expression that repeats nothing.
 */
export function hostileInputs(source: string, flags: string): HostileInput[] {
  const mode = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
  const pattern = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, mode);
  if (!repeats(pattern)) return [];
  const inputs = new Map<string, HostileInput>();
  const add = (before: string, repeated: string, endings: readonly string[] = ENDINGS) => {
    if (repeated === '' || repeated.length > 2000) return;
    for (const after of endings) inputs.set(JSON.stringify([before, repeated, after]), { before, repeated, after });
  };
  const sample = (node: AST.Element | AST.Pattern) => samplesOf(node, flags)[0] ?? '';
  const visit = (alternatives: readonly AST.Alternative[], before: string) => {
    for (const { elements } of alternatives) {
      let prefix = before;
      for (const [index, element] of elements.entries()) {
        const rest = elements
          .slice(index + 1)
          .map(sample)
          .join('');
        if (element.type === 'Quantifier' && element.max > 20) {
          for (const pump of samplesOf(element.element, flags)) {
            add(prefix, pump);
            add(prefix, pump, [rest, rest.slice(0, -1)]);
            add('', prefix + pump);
            add('', prefix + pump + rest.slice(0, -1));
            add('', pump);
            if (prefix !== '') add('', prefix.slice(-1) + pump);
          }
        }
        const inner = element.type === 'Quantifier' ? element.element : element;
        if ('alternatives' in inner) visit(inner.alternatives, prefix);
        prefix += sample(element);
        add('', prefix);
      }
    }
  };
  visit(pattern.alternatives, '');
  return [...inputs.values()];
}

/** Whether anything in an expression may match more than once: without that, the length of a match is bounded. */
function repeats(node: AST.Element | AST.Pattern | AST.Alternative): boolean {
  if (node.type === 'Quantifier') return node.max > 1 || repeats(node.element);
  if ('alternatives' in node) return node.alternatives.some(repeats);
  return node.type === 'Alternative' && node.elements.some(repeats);
}

/** Returns texts that an element matches, a few if there are many. */
function samplesOf(node: AST.Element | AST.Pattern, flags: string): string[] {
  switch (node.type) {
    case 'Character':
      return [String.fromCodePoint(node.value)];
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass':
      return signsOf(node, flags);
    case 'Quantifier': {
      const times = Math.min(Math.max(node.min, node.max > 0 ? 1 : 0), 200);
      return samplesOf(node.element, flags).map((text) => text.repeat(times));
    }
    case 'Group':
    case 'CapturingGroup':
    case 'Pattern':
      return node.alternatives.slice(0, 12).map(({ elements }) => elements.map((one) => samplesOf(one, flags)[0] ?? '').join(''));
    case 'Assertion':
      return [''];
    case 'Backreference':
      return [Array.isArray(node.resolved) ? '' : (samplesOf(node.resolved, flags)[0] ?? '')];
    default:
      return [''];
  }
}

function signsOf(node: AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass, flags: string): string[] {
  const one = new RegExp(`^(?:${node.raw})$`, flags.replace(/[gy]/g, ''));
  const listed = node.type === 'CharacterClass' ? node.elements.flatMap(listedIn) : [];
  const matching = [...SIGNS, ...listed].filter((sign) => one.test(sign));
  return [...new Set(matching)].slice(0, MAX_CHOICES);
}

function listedIn(element: AST.CharacterClassElement): string[] {
  if (element.type === 'Character') return [String.fromCodePoint(element.value)];
  return element.type === 'CharacterClassRange' ? [String.fromCodePoint(element.min.value)] : [];
}
