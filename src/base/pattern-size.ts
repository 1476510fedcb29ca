/** An escape, a class of characters, a repetition with its counts, or any other character. */
const token = /\\[pP]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gsu

/**
 * About how many steps a regular expression has: what it repeats counts as often as that. Known without compiling it, which
 * takes a second for the largest ones.
 */
export function estimatedSize(source: string): number {
  const outside: number[] = []
  let size = 0
  let last = 0
  for (const [text, least, most] of source.matchAll(token)) {
    if (text === '(') {
      outside.push(size)
      size = 0
      last = 0
    } else if (text === ')') {
      last = size
      size += outside.pop() ?? 0
    } else if (least !== undefined) {
      const times = Math.max(1, Number(least), Number(most ?? 0))
      size += last * (times - 1)
      last *= times
    } else {
      size += 1
      last = 1
    }
  }
  return outside.reduce((sum, each) => sum + each, size)
}
