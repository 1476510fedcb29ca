import { badRequest } from '../error.ts'

/** `field=value` or `field!=value`. */
export interface FieldTerm {
  readonly field: string
  readonly equal: boolean
  readonly value: string
}

/** Each is evaluated for every object. */
const mostTerms = 50

/** Reads the text form of a field selector, in the order in which Kubernetes reports problems. Throws its 400. */
export function parseFieldTerms(text: string): readonly FieldTerm[] {
  const terms = splitTerms(text).filter((term) => term !== '')
  if (terms.length > mostTerms) {
    throw badRequest(`a field selector may have ${mostTerms} terms, and this one has ${terms.length}`)
  }
  return terms.sort().map((term) => parseTerm(term, text))
}

/** The text form; parsing it yields equal terms. */
export function printFieldTerms(terms: readonly FieldTerm[]): string {
  return terms.map(({ field, equal, value }) => `${field}${equal ? '=' : '!='}${escapeValue(value)}`).join(',')
}

/** Commas separate terms, unless a backslash precedes them. */
function splitTerms(text: string): string[] {
  const terms: string[] = []
  let start = 0
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === ',') {
      terms.push(text.slice(start, index))
      start = index + 1
    }
  }
  return [...terms, text.slice(start)]
}

function parseTerm(term: string, text: string): FieldTerm {
  const operator = /!=|==|=/.exec(term)
  if (operator === null) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`)
  return {
    field: term.slice(0, operator.index),
    equal: operator[0] !== '!=',
    value: unescapeValue(term.slice(operator.index + operator[0].length)),
  }
}

function unescapeValue(value: string): string {
  return value.replace(/\\(.?)|[,=]/gsu, (found, escaped: string | undefined) => {
    if (escaped === undefined) throw badRequest(unescapedCharacter(found))
    if (escaped === '\\' || escaped === ',' || escaped === '=') return escaped
    throw badRequest(`invalid field selector: invalid escape sequence: ${found}`)
  })
}

/** Kubernetes prints the number of the character. */
function unescapedCharacter(character: string): string {
  return `invalid field selector: unescaped character in value: ${character.codePointAt(0)}`
}

function escapeValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&')
}
