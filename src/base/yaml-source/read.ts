import type { Document, YAMLParseError } from 'yaml'
import { composeYaml, isBlankDocument, servedYaml, type YamlLimits } from '../json/yaml-compose.ts'
import { atOnce } from '../steps.ts'
import { type Lines, linePosition, linesOf } from './lines.ts'
import type { SyntaxProblem, YamlValue } from './node.ts'
import { readDocument } from './read-document.ts'
import { syntaxWording } from './wording.ts'

/** A YAML text with one document. `root` is absent if the text is not YAML, and `problems` say why. */
export interface YamlSource {
  readonly lines: Lines
  readonly root?: YamlValue
  readonly problems: readonly SyntaxProblem[]
}

/** Reads one document with all positions. Never throws, whatever the text. */
export function readYaml(text: string, limits: YamlLimits = servedYaml): YamlSource {
  const lines = linesOf(text)
  try {
    return readComposed(atOnce(composeYaml(text, limits, { tooDeepAt, tooMuchAt: tooMuch(limits) })), lines)
  } catch (error) {
    if (error instanceof OutOfHand) return { lines, problems: [error.problem] }
    throw error
  }
}

/** Stops the parser; converted to data before it leaves this file. */
class OutOfHand extends Error {
  readonly problem: SyntaxProblem

  constructor(message: string, offset: number) {
    super(message)
    this.problem = { span: { start: offset, end: offset + 1 }, message: this.message }
  }
}

function tooDeepAt(offset: number): Error {
  return new OutOfHand('values are nested too deeply', offset)
}

function tooMuch({ words }: YamlLimits): (offset: number) => Error {
  return (offset) => new OutOfHand(`up to here the text has ${words} words, and that is the most that is read`, offset)
}

function readComposed(documents: readonly Document.Parsed[], lines: Lines): YamlSource {
  const errors = documents.flatMap((document) => document.errors)
  if (errors.length > 0) return { lines, problems: onePerLine(errors, lines) }
  const [first, ...others] = documents
  const second = others.find((document) => !isBlankDocument(document))
  if (second !== undefined) return { lines, problems: [secondDocument(second)] }
  return first === undefined || isBlankDocument(first) ? { lines, problems: [] } : { lines, ...readDocument(first) }
}

/** The parser reports three errors for what a person sees as one. */
function onePerLine(errors: readonly YAMLParseError[], lines: Lines): readonly SyntaxProblem[] {
  const byLine = new Map<number, SyntaxProblem>()
  for (const error of errors) {
    const { line } = linePosition(lines, error.pos[0])
    const span = { start: error.pos[0], end: Math.max(error.pos[1], error.pos[0] + 1) }
    if (!byLine.has(line)) byLine.set(line, { span, ...syntaxWording(error) })
  }
  return [...byLine.values()]
}

function secondDocument(document: Document.Parsed): SyntaxProblem {
  const start = document.contents?.range[0] ?? document.range[0]
  return {
    span: { start, end: start + 1 },
    message: 'a second document starts here, and only one is allowed',
    suggestion: 'remove the line --- before it, or move it to a separate file',
  }
}
