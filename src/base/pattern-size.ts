/**
 * The approximate number of steps of a regular expression, counting repeated parts as often as they repeat. It is found
 * without compiling, which takes a second for the largest expressions.
 */
export function estimatedSize(source: string): number {
  const scanner = new PatternScanner(source)
  const outside: number[] = []
  let size = 0
  let last = 0
  for (let token = scanner.next(); token !== undefined; token = scanner.next()) {
    if (token === '(') {
      outside.push(size)
      size = 0
      last = 0
    } else if (token === ')') {
      last = size
      size += outside.pop() ?? 0
    } else if (token === 'unit') {
      size += 1
      last = 1
    } else {
      size += last * (token.times - 1)
      last *= token.times
    }
  }
  return outside.reduce((sum, each) => sum + each, size)
}

/** A bracket, a repetition, or a unit that matches once: an escape, a character class, or any other character. */
type PatternToken = '(' | ')' | 'unit' | { readonly times: number }

const repetition = /\{(\d+)(?:,(\d*))?\}/y
const namedClass = /\[:\^?\w{1,20}:\]/y

/** Looks at each character once, even if a bracket is never closed. */
class PatternScanner {
  readonly #source: string
  #at = 0
  /** Once a class, or a name in braces, turns out to be unclosed, the scanner searches for no other one. */
  #closesClasses = true
  #closesNames = true

  constructor(source: string) {
    this.#source = source
  }

  next(): PatternToken | undefined {
    const character = this.#source[this.#at]
    if (character === undefined) return undefined
    if (character === '(' || character === ')') {
      this.#at++
      return character
    }
    const repeated = character === '{' ? this.#matched(repetition) : undefined
    if (repeated === undefined) {
      this.#at = this.#unitEnd(character)
      return 'unit'
    }
    const [whole, least, most] = repeated
    this.#at += whole.length
    return { times: Math.max(1, Number(least), Number(most ?? 0)) }
  }

  #matched(pattern: RegExp, at = this.#at): RegExpExecArray | undefined {
    pattern.lastIndex = at
    return pattern.exec(this.#source) ?? undefined
  }

  #unitEnd(character: string): number {
    if (character === '\\') return this.#escapeEnd()
    return character === '[' && this.#closesClasses ? this.#classEnd() : this.#at + 1
  }

  #escapeEnd(): number {
    const end = this.#at + 2
    const hasName = /[pP]/.test(this.#source[this.#at + 1] ?? '') && this.#source[end] === '{'
    if (!hasName || !this.#closesNames) return end
    const close = this.#source.indexOf('}', end)
    this.#closesNames = close >= 0
    return close < 0 ? end : close + 1
  }

  #classEnd(): number {
    const source = this.#source
    let at = this.#at + 1
    if (source[at] === '^') at++
    if (source[at] === ']') at++
    while (at < source.length) {
      if (source[at] === ']') return at + 1
      if (source[at] === '\\') at += 2
      else at += source[at] === '[' ? (this.#matched(namedClass, at)?.[0].length ?? 1) : 1
    }
    this.#closesClasses = false
    return this.#at + 1
  }
}
