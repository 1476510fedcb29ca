/** One change of one condition of a source text. */
export interface Mutant {
  readonly line: number
  readonly description: string
  readonly source: string
}

/** The inverted condition; the zero stands for the original. */
const whole = '(!(\0))'

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly description: string
}

/** Inverts every condition, one at a time. Works on text: the result must run, not pass a type checker. */
export function mutantsOf(source: string): readonly Mutant[] {
  const code = masked(source)
  const edits = [
    ...swaps(source, code),
    ...ifConditions(code),
    ...ternaryConditions(code),
    ...negations(code),
    ...predicateCalls(code),
    ...cases(source, code),
  ]
  return edits
    .filter(({ start, end, text }) => text !== whole || !isOneComparison(code.slice(start, end)))
    .sort((a, b) => a.start - b.start)
    .map(({ start, end, text, description }) => ({
      line: source.slice(0, start).split('\n').length,
      description,
      source: source.slice(0, start) + text.replaceAll('\0', source.slice(start, end)) + source.slice(end),
    }))
}

/** The text with everything that is not code blanked out: comments, strings, templates, patterns and imports. */
function masked(source: string): string {
  const blank = (text: string) => text.replace(/[^\n]/g, ' ')
  return source
    .replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, blank)
    .replace(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, blank)
    .replace(/(?<=[(=,:?&|]\s*)\/(?![/*\s])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//g, (text) =>
      '_'.repeat(text.length),
    )
    .replace(/^import[\s\S]*?from.*$/gm, blank)
}

const opposites: readonly (readonly [string, string])[] = [
  ['===', '!=='],
  ['!==', '==='],
  ['&&', '||'],
  ['||', '&&'],
  [' > ', ' <= '],
  [' < ', ' >= '],
  [' >= ', ' < '],
  [' <= ', ' > '],
  ['.some(', '.every('],
  ['.every(', '.some('],
  ['return true', 'return false'],
  ['return false', 'return true'],
]

function swaps(source: string, code: string): readonly Edit[] {
  return opposites.flatMap(([from, to]) =>
    placesOf(code, from)
      .filter((start) => source.startsWith(from, start))
      .map((start) => ({
        start,
        end: start + from.length,
        text: to,
        description: `${from.trim()} becomes ${to.trim()}`,
      })),
  )
}

function placesOf(code: string, text: string): readonly number[] {
  const places: number[] = []
  for (let at = code.indexOf(text); at >= 0; at = code.indexOf(text, at + 1)) places.push(at)
  return places
}

function ifConditions(code: string): readonly Edit[] {
  return [...code.matchAll(/\bif \(/g)].map(({ index }) => {
    const open = index + 'if '.length
    return inverted(open, closing(code, open) + 1, 'if')
  })
}

/** Inverting a single comparison is the same as swapping its operator. */
function isOneComparison(condition: string): boolean {
  const operators = condition.match(/===|!==|&&|\|\|| [<>]=? |\?/g) ?? []
  return operators.length === 1 && /===|!==| [<>]=? /.test(condition)
}

function inverted(start: number, end: number, what: string): Edit {
  return { start, end, text: whole, description: `${what} is inverted` }
}

function closing(code: string, open: number): number {
  let depth = 0
  for (let at = open; at < code.length; at++) {
    if ('([{'.includes(code[at] ?? '')) depth++
    if (')]}'.includes(code[at] ?? '')) depth--
    if (depth === 0) return at
  }
  return code.length
}

function ternaryConditions(code: string): readonly Edit[] {
  return [...code.matchAll(/\s\? /g)].map(({ index }) => inverted(startOfCondition(code, index), index, '? :'))
}

/** Goes back to the start of the expression before the question mark. */
function startOfCondition(code: string, end: number): number {
  let depth = 0
  for (let at = end - 1; at >= 0; at--) {
    const character = code[at] ?? ''
    if (')]}'.includes(character)) depth++
    if ('([{'.includes(character)) depth--
    if (depth < 0) return at + 1
    if (depth > 0) continue
    if (/^(?:=>|return |\? |: |, |\.\.\.)/.test(code.slice(at, at + 7))) return skipped(code, at)
    if (character === '=' && /[^=!<>]/.test(code[at - 1] ?? '') && /[^=>]/.test(code[at + 1] ?? '')) return at + 2
  }
  return 0
}

function skipped(code: string, at: number): number {
  const [word = ''] = /^(?:=>\s*|return |\? |: |, |\.\.\.)/.exec(code.slice(at, at + 20)) ?? []
  return at + word.length
}

function negations(code: string): readonly Edit[] {
  return [...code.matchAll(/!(?=[A-Za-z(])/g)].map(({ index }) => ({
    start: index,
    end: index + 1,
    text: '',
    description: '! is gone',
  }))
}

/** `list.includes(x)` and the like, where it is a complete condition. */
function predicateCalls(code: string): readonly Edit[] {
  return [...code.matchAll(/\??\.(?:includes|has|startsWith|endsWith|test)\(/g)].map(({ index, 0: text }) => {
    const open = index + text.length - 1
    return inverted(startOfChain(code, index), closing(code, open) + 1, text)
  })
}

/** Goes back to the start of `a.b(c)[d]`. */
function startOfChain(code: string, end: number): number {
  let depth = 0
  for (let at = end - 1; at >= 0; at--) {
    const character = code[at] ?? ''
    if (')]}'.includes(character)) depth++
    else if (depth > 0 && '([{'.includes(character)) depth--
    else if (depth === 0 && !/[\w$#.?]/.test(character)) return at + 1
  }
  return 0
}

/** A case that is never taken. */
function cases(source: string, code: string): readonly Edit[] {
  return [...code.matchAll(/\bcase +(?=:)/g)].map(({ index, 0: text }) => ({
    start: index,
    end: index + text.length,
    text: `case 'never'`,
    description: `${source.slice(index, index + text.length).trim()} is never taken`,
  }))
}
