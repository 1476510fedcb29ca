import { RE2JS } from 're2js'
import { errorText } from '../../base/error-text.ts'
import { lazily } from '../../base/lazily.ts'

/** A user's regular expression. Its time depends only on the length of the text and the size of the expression. */
export interface Pattern {
  readonly source: string
  /** The maximum number of steps per character: `x{1000}` is short to write and long to match. */
  readonly size: () => number
  /** Whether it matches anywhere in the text. */
  readonly matches: (text: string) => boolean
}

/** Compiled on first use: most patterns of most schemas are never used. An invalid pattern matches nothing. */
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

export const longestPattern = 2000

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
