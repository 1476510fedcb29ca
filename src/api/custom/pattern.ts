import { RE2JS } from 're2js'
import { errorText } from '../../base/error-text.ts'
import { lazily } from '../../base/lazily.ts'

/** A regular expression of a user. Its time grows with the length of the text and its own size, and with nothing else. */
export interface Pattern {
  readonly source: string
  /** How many steps a match takes at most for each character: `x{1000}` is short to write and long to match. */
  readonly size: () => number
  /** Whether it is found anywhere in the text. */
  readonly matches: (text: string) => boolean
}

/** Compiled when it is first needed: of most schemas most patterns never are. What cannot be compiled matches nothing. */
export function lazyPattern(source: string): Pattern {
  const expression = lazily(() => compiled(source))
  return {
    source,
    size: () => {
      const found = expression()
      return 'problem' in found ? 0 : found.programSize()
    },
    matches: (text) => {
      const found = expression()
      return 'problem' in found ? false : found.matcher(text).find()
    },
  }
}

const longestPattern = 2000

export type PatternCheck = { readonly size: number } | { readonly problem: string }

/** Whether the text is a regular expression, and if not why, in the words of Kubernetes. */
export function checkPattern(source: string): PatternCheck {
  if (source.length > longestPattern) return { problem: `it is longer than ${longestPattern} characters` }
  const expression = compiled(source)
  return 'problem' in expression ? expression : { size: expression.programSize() }
}

function compiled(source: string): RE2JS | { readonly problem: string } {
  try {
    return RE2JS.compile(source)
  } catch (error) {
    return { problem: errorText(error) }
  }
}
