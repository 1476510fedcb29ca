import { linePosition, lineText } from '../../base/yaml-source/lines.ts'
import { memberOf, type Span, type YamlValue } from '../../base/yaml-source/node.ts'
import type { YamlSource } from '../../base/yaml-source/read.ts'
import { scalarOffsets } from '../../base/yaml-source/scalar-offsets.ts'
import { firstKeySpan } from './check/rules.ts'
import type { ConfigFinding, ConfigPath, Problem } from './problem.ts'
import { printConfigPath } from './wording.ts'

/** A tenant.yaml that was read, valid or not, so that findings about it can be shown in place. */
export interface ConfigDocument {
  readonly file: string
  readonly source: YamlSource
}

export interface TextPosition {
  readonly line: number
  readonly column: number
  readonly length: number
}

/**
 * The position of the value at a path, or of the last part of the path that exists. With an offset: the position inside
 * a text, counted in the text as YAML reads it, whether it is plain, quoted or a block of several lines; at its end,
 * the end of the visible text.
 */
export function positionOf(document: ConfigDocument, path: ConfigPath, offsetInText?: number): TextPosition {
  const { root } = document.source
  if (root === undefined) return positionOfSpan(document, { start: 0, end: 0 })
  const found = spanAt(root, path)
  return positionOfSpan(document, spanInside(document, found, offsetInText) ?? found.span)
}

function positionOfSpan({ source: { lines } }: ConfigDocument, { start, end }: Span): TextPosition {
  const { line, column } = linePosition(lines, start)
  const text = lineText(lines, line)
  const within = Math.min(column, text.length + 1)
  return { line, column: within, length: Math.max(0, Math.min(end - start, text.length - within + 1)) }
}

export function configProblemOf(
  document: ConfigDocument,
  { severity, code, path, span, ...words }: ConfigFinding,
): Problem {
  const position = positionOfSpan(document, span)
  const field = printConfigPath(path)
  return { severity: severity ?? 'error', code, file: document.file, ...position, field, ...words }
}

interface Found {
  readonly span: Span
  /** Absent if the document does not have the whole path. */
  readonly value?: YamlValue
}

function spanAt(root: YamlValue, path: ConfigPath): Found {
  let value = root
  let keySpan: Span = { start: root.span.start, end: root.span.start }
  let byKey = false
  for (const step of path) {
    const member = value.type === 'map' ? memberOf(value, String(step)) : undefined
    const item = value.type === 'list' && typeof step === 'number' ? value.items[step] : undefined
    const next = member?.value ?? item
    if (next === undefined) return { span: byKey ? keySpan : anchorOf(value, keySpan) }
    byKey = member !== undefined
    keySpan = member?.keySpan ?? next.span
    value = next
  }
  const isText = value.type === 'scalar' && value.span.end > value.span.start
  return { value, span: byKey && !isText ? keySpan : anchorOf(value, keySpan) }
}

function anchorOf(value: YamlValue, keySpan: Span): Span {
  if (value.type === 'map') return firstKeySpan(value, keySpan)
  return value.span.end > value.span.start ? value.span : keySpan
}

function spanInside(document: ConfigDocument, { value }: Found, offset: number | undefined): Span | undefined {
  if (offset === undefined || value?.type !== 'scalar') return undefined
  const offsets = scalarOffsets(document.source.lines.text, value)
  const start = offsets?.[Math.min(Math.max(offset, 0), value.text.trimEnd().length)]
  return start === undefined ? undefined : { start, end: start + 1 }
}
