const literal = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'/g
const maxLiterals = 8
const maxLength = 64

/**
 * Texts that an expression compares with or looks for, so that samples reach its branches. They are only worth a trip
 * where the expression changes them: what it leaves alone may as well look like something already translated.
 */
export function literalSamples(source: string): readonly string[] {
  const literals = [...source.matchAll(literal)]
    .map((match) => match[1] ?? match[2] ?? '')
    .filter((text) => text !== '' && text.length <= maxLength && !text.includes('\\'))
  return [...new Set(literals)].slice(0, maxLiterals).flatMap((text) => [text, `${text}x`, `x${text}`, `x${text}y`])
}
