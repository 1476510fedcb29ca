import { RE2JS } from 're2js'

/** A regular expression of a user. Its time grows with the length of the text and its own size, and with nothing else. */
export interface Pattern {
  readonly source: string
  /** How many steps a match takes at most for each character: `x{1000}` is short to write and long to match. */
  readonly size: () => number
  /** Whether it is found anywhere in the text. */
  readonly matches: (text: string) => boolean
}

/** Compiled when it is first needed: of most schemas most patterns never are. */
export function lazyPattern(source: string): Pattern {
  let known: RE2JS | undefined
  const compiled = () => {
    known ??= RE2JS.compile(source)
    return known
  }
  return {
    source,
    size: () => compiled().programSize(),
    matches: (text) => compiled().matcher(text).find(),
  }
}

const longestPattern = 2000

export type PatternCheck = { readonly size: number } | { readonly problem: string }

/** The same few patterns come again at every change of a definition, also of its status. */
const checked = new Map<string, PatternCheck>()
const mostChecked = 2000

/** Whether the text is a regular expression, and if not why, in the words of Kubernetes. */
export function checkPattern(source: string): PatternCheck {
  if (source.length > longestPattern) return { problem: `it is longer than ${longestPattern} characters` }
  const known = checked.get(source)
  if (known !== undefined) return known
  const result = compiles(source)
  if (checked.size === mostChecked) checked.clear()
  checked.set(source, result)
  return result
}

function compiles(source: string): PatternCheck {
  try {
    return { size: RE2JS.compile(source).programSize() }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
