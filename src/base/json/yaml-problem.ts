import type { YAMLParseError } from 'yaml'
import { JsonSyntaxError } from './error.ts'

/**
 * The error that Go's parser reports, and its position. One of its two stages counts lines from zero, and neither names
 * the first line.
 */
interface GoProblem {
  readonly reason: string
  readonly foundBy: 'scanner' | 'parser'
  readonly at: number
}

/** The error in Go's words where people are likely to search for them. */
export function yamlSyntaxError(problem: YAMLParseError, text: string): JsonSyntaxError {
  const { reason, foundBy, at } = goProblem(problem, text)
  const before = text.slice(0, at).split('\n').length - (at > text.length ? 0 : 1)
  const line = foundBy === 'scanner' ? before + 1 : before
  return new JsonSyntaxError(before === 0 ? `yaml: ${reason}` : `yaml: line ${line}: ${reason}`)
}

/** Characters that Go refuses everywhere in a text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unreadable = /[\0-\x08\v\f\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ufffe\uffff]/

export function refuseUnreadable(text: string): void {
  if (unreadable.test(text)) throw new JsonSyntaxError('yaml: control characters are not allowed')
}

function goProblem({ code, message, pos: [at] }: YAMLParseError, text: string): GoProblem {
  const flow = /^Flow (map|sequence).* end with/.exec(message)
  if (flow !== null) return endlessFlow(flow[1] === 'map' ? '}' : ']', at, text)
  if (/Missing closing .quote/.test(message)) return scanned('found unexpected end of stream', text.length)
  if (code === 'TAB_AS_INDENT' || code === 'BAD_SCALAR_START')
    return scanned('found character that cannot start any token', at)
  if (code === 'BAD_DQ_ESCAPE') return scanned('found unknown escape character', at)
  if (code === 'BLOCK_AS_IMPLICIT_KEY' || code === 'MULTILINE_IMPLICIT_KEY') return misplacedColon(at, text)
  if (message.startsWith('Unexpected block-seq-ind'))
    return scanned('block sequence entries are not allowed in this context', at)
  if (message.startsWith('Unexpected flow-')) return parsed(valueStartsAt(at, text) ? noContent : noKey, at)
  if (message.startsWith('Implicit map keys need') || message.startsWith('Unexpected scalar at node end'))
    return missingColon(at, text)
  if (message.startsWith('All mapping items') || code === 'ALIAS_PROPS') return parsed(noKey, at)
  return scanned(`${message.charAt(0).toLowerCase()}${message.slice(1, longestReason)}`, at)
}

/** Reasons may repeat a part of the text, such as an unknown tag. */
const longestReason = 300

const noContent = 'did not find expected node content'
const noKey = 'did not find expected key'

function scanned(reason: string, at: number): GoProblem {
  return { reason, foundBy: 'scanner', at }
}

function parsed(reason: string, at: number): GoProblem {
  return { reason, foundBy: 'parser', at }
}

function endlessFlow(close: string, at: number, text: string): GoProblem {
  const wantsValue = at >= text.trimEnd().length && valueStartsAt(at, text)
  return atEnd(parsed(wantsValue ? noContent : `did not find expected ',' or '${close}'`, at), text)
}

/** Whether a value starts here rather than a key: it is at the start, or follows a mark that requires a value. */
function valueStartsAt(at: number, text: string): boolean {
  return /(^|[[{,:-])\s*$/.test(text.slice(Math.max(0, at - 100), at))
}

function misplacedColon(at: number, text: string): GoProblem {
  if (/^-\s/.test(text.slice(at, at + 2))) return parsed(noKey, at)
  const colon = text.slice(at).search(/:(\s|$)/)
  const place = colon < 0 ? at : at + colon
  if (isKeyOfMap(at, text)) return scanned("could not find expected ':'", place)
  return scanned('mapping values are not allowed in this context', place)
}

function missingColon(at: number, text: string): GoProblem {
  if (!isFirstOnLine(at, text)) return parsed(noKey, at)
  const nextLine = text.indexOf('\n', at)
  const rest = nextLine < 0 ? -1 : text.slice(nextLine).search(/\S/)
  const place = rest < 0 ? text.length : nextLine + rest
  return atEnd(scanned("could not find expected ':'", place), text)
}

/** For Go, the last line always ends with a line break. */
function atEnd(problem: GoProblem, text: string): GoProblem {
  if (problem.at < text.length || text.endsWith('\n')) return problem
  return { ...problem, at: text.length + 1 }
}

function isFirstOnLine(at: number, text: string): boolean {
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trim() === ''
}

function isKeyOfMap(at: number, text: string): boolean {
  return (
    isFirstOnLine(at, text) &&
    text
      .slice(0, at)
      .replace(/^(---|#.*)$/gm, '')
      .trim() !== ''
  )
}
