import type { StaticToken } from './static-tokens.ts'

export interface StaticTokenFile {
  readonly tokens: readonly StaticToken[]
  /** Skipped lines. */
  readonly warnings: readonly string[]
}

interface Field {
  readonly text: string
  /** The end of the field in its line. */
  readonly end: number
}

/**
 * Reads lines of the form `token,user,uid[,"group1,group2"]` as kube-apiserver does: a line without a token is skipped,
 * and of several lines with the same token the last one wins. Messages name the line but never its content.
 */
export function parseTokenFile(text: string): StaticTokenFile {
  const byToken = new Map<string, StaticToken>()
  const warnings: string[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === '') continue
    const read = tokenOf(csvFields(line, index + 1), index + 1)
    if (read.token === '') warnings.push(`line ${index + 1}: it has no token and is passed over`)
    else if (byToken.has(read.token))
      warnings.push(`line ${index + 1}: its token is on an earlier line too; this one counts`)
    if (read.token !== '') byToken.set(read.token, read)
  }
  return { tokens: [...byToken.values()], warnings }
}

function tokenOf(fields: readonly string[], lineNumber: number): StaticToken {
  const [token, name, uid, groups = ''] = fields
  if (token === undefined || name === undefined || uid === undefined) {
    throw new Error(
      `line ${lineNumber}: it has ${fields.length} of at least 3 columns: token,user,uid[,"group1,group2"]`,
    )
  }
  return { token, name, uid, groups: groups === '' ? [] : groups.split(',') }
}

/** One line of comma-separated values; a field in double quotes may contain commas, and doubled quotes. */
function csvFields(line: string, lineNumber: number): readonly string[] {
  const fields: string[] = []
  for (let start = 0; start <= line.length; ) {
    const { text, end } =
      line[start] === '"' ? quotedField(line, start, lineNumber) : plainField(line, start, lineNumber)
    fields.push(text)
    start = end + 1
  }
  return fields
}

function quotedField(line: string, opening: number, lineNumber: number): Field {
  for (let index = opening + 1; index < line.length; index++) {
    if (line[index] !== '"') continue
    if (line[index + 1] === '"') {
      index++
      continue
    }
    const end = index + 1
    if (end < line.length && line[end] !== ',') throw problemAt(lineNumber, end, 'a comma must follow a closing quote')
    return { text: line.slice(opening + 1, index).replaceAll('""', '"'), end }
  }
  throw problemAt(lineNumber, opening, 'the quote that opens here is not closed on this line')
}

function plainField(line: string, start: number, lineNumber: number): Field {
  const comma = line.indexOf(',', start)
  const end = comma < 0 ? line.length : comma
  const text = line.slice(start, end)
  const quote = text.indexOf('"')
  if (quote < 0) return { text, end }
  throw problemAt(
    lineNumber,
    start + quote,
    'a quote in the middle of a field: quote the whole field, and double each quote inside it',
  )
}

function problemAt(lineNumber: number, index: number, problem: string): Error {
  return new Error(`line ${lineNumber}, column ${index + 1}: ${problem}`)
}
