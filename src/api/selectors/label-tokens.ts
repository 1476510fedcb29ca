/** The words of a label selector. `end` closes every list of tokens. */
export interface Token {
  readonly type: 'identifier' | 'in' | 'notin' | '!' | '=' | '==' | '!=' | '>' | '<' | ',' | '(' | ')' | 'end'
  readonly text: string
}

type Symbol = Exclude<Token['type'], 'identifier' | 'in' | 'notin' | 'end'>

/** Two characters before one, so that the longest symbol wins. Everything but spaces and symbols is a word. */
const word = /(==|!=|[=!(),<>])|[^ \t\r\n=!(),<>]+/g

const end: Token = { type: 'end', text: '' }

export function labelTokens(text: string): readonly Token[] {
  const tokens = Array.from(text.matchAll(word), ([found, symbol]) =>
    symbol === undefined ? wordToken(found) : symbolToken(symbol as Symbol),
  )
  return [...tokens, end]
}

function wordToken(text: string): Token {
  return { type: text === 'in' || text === 'notin' ? text : 'identifier', text }
}

function symbolToken(text: Symbol): Token {
  return { type: text, text }
}
