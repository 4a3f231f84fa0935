const JOINT =
  /(?:[?？]\s*(?:and\s+)?|(?:[,;]|(?<!\s))\s+(?:and|und|et|y|e)\s+(?=(?:how|what|which|when|where|who|why|can|could|is|are|does|do|will|should|wie|was|welche|wann|wo|kann|comment|quel|où|cómo|qué|cuál|dónde)\b))/iu;

/** Returns the questions within a question: “How do I import it, and how big may it be?” contains two. */
export function questionParts(question: string): string[] {
  return question
    .split(JOINT)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
