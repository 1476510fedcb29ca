import type { StaticToken } from './static-tokens.ts'

/**
 * Reads the lines `token,user,uid[,"group1,group2"]` of a token file. Lines without a token are skipped. Messages name
 * the line, never its content.
 */
export function parseTokenFile(text: string): readonly StaticToken[] {
  return text
    .split(/\r?\n/)
    .flatMap((line, index) => (line === '' ? [] : tokensOf(csvFields(line, index + 1), index + 1)))
}

function tokensOf(fields: readonly string[], lineNumber: number): readonly StaticToken[] {
  const [token, name, uid, groups] = fields
  if (token === undefined || name === undefined || uid === undefined) {
    throw new Error(
      `Line ${lineNumber} of the token file has ${fields.length} columns; at least token, user name and user uid are needed.`,
    )
  }
  if (token === '') return []
  return [{ token, name, uid, groups: groups === undefined || groups === '' ? [] : groups.split(',') }]
}

/** One line of comma-separated values; a field in double quotes may hold commas, and quotes written twice. */
function csvFields(line: string, lineNumber: number): readonly string[] {
  const fields: string[] = []
  let position = 0
  while (position <= line.length) {
    const quoted = line[position] === '"'
    const end = quoted ? closingQuote(line, position, lineNumber) + 1 : commaOrEnd(line, position)
    if (quoted && end < line.length && line[end] !== ',') throw badQuote(lineNumber)
    fields.push(quoted ? line.slice(position + 1, end - 1).replaceAll('""', '"') : line.slice(position, end))
    position = end + 1
  }
  return fields
}

function closingQuote(line: string, opening: number, lineNumber: number): number {
  for (let index = opening + 1; index < line.length; index++) {
    if (line[index] !== '"') continue
    if (line[index + 1] !== '"') return index
    index++
  }
  throw badQuote(lineNumber)
}

function commaOrEnd(line: string, from: number): number {
  const comma = line.indexOf(',', from)
  return comma < 0 ? line.length : comma
}

function badQuote(lineNumber: number): Error {
  return new Error(`Line ${lineNumber} of the token file has a quotation mark out of place.`)
}
