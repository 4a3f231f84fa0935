const HOW_TO =
  /\bhow (?:do|does|can|could|to|should|would|must)\b|^(?:wie|comment|cómo|como|come)\b|如何|怎么|怎麼|怎样|方法|どうやって|どうすれば|어떻게/iu;
const FIRST_WORD_OF_OTHERS =
  /^(?:what|why|when|which|who|whose|where|is|are|am|was|were|does|do|did|can|could|will|would|should|has|have|my|the|how|was|warum|wann|welche[rsmn]?|wer|wo|ist|kann|quel(?:le)?s?|pourquoi|quand|où|est-ce|qué|cuál(?:es)?|por|dónde|qual|quais|onde|perché|quando|dove)\b|什么|什麼|为什|為什|哪|何|なぜ|いつ|どこ|무엇|언제|왜|어디/iu;

const DEFINITION =
  /^(?:what(?:['’]s| is| are)|what does .* (?:mean|do)\b|was (?:ist|sind|bedeutet)|qu['’]est-ce|c['’]est quoi|qué (?:es|son)|o que (?:é|são)|(?:che )?cos['’]è)|什么是|是什么|とは|무엇/iu;

/**
 * What would answer: steps and commands where somebody wants to do something (“how do I …”, “rotate a key”), a sentence that
 * says what it is, or prose.
 */
export type QuestionKind = 'how-to' | 'definition' | 'other';

/** Tells the kind of a question by its first words. */
export function questionKind(question: string): QuestionKind {
  const text = question.trim();
  if (HOW_TO.test(text)) return 'how-to';
  if (DEFINITION.test(text)) return 'definition';
  return FIRST_WORD_OF_OTHERS.test(text) ? 'other' : 'how-to';
}
