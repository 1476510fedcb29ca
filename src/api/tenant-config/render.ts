import { visible } from '../../base/unseen.ts'
import { lineText } from '../../base/yaml-source/lines.ts'
import type { ConfigDocument } from './document.ts'
import type { Problem } from './problem.ts'
import { maskedKeys } from './wording.ts'

/** How parts of the output are marked; without colors each function returns its text. */
export interface Paint {
  readonly error: (text: string) => string
  readonly warning: (text: string) => string
  readonly strong: (text: string) => string
  readonly dim: (text: string) => string
}

export const noPaint: Paint = { error: asIs, warning: asIs, strong: asIs, dim: asIs }

function asIs(text: string): string {
  return text
}

const mostShown = 100
const widest = 100

/** Problems for people: the line, a mark below the affected text, and what to do. */
export function renderProblems(problems: readonly Problem[], document: ConfigDocument, paint: Paint = noPaint): string {
  const shown = problems.slice(0, mostShown).map((problem) => renderProblem(problem, document, paint))
  const hidden = problems.length - shown.length
  return `${shown.join('\n')}${hidden > 0 ? `\n… and ${hidden} more\n` : ''}`
}

function renderProblem(problem: Problem, { source }: ConfigDocument, paint: Paint): string {
  const { severity, file, line, column, message, suggestion } = problem
  const mark = severity === 'error' ? paint.error : paint.warning
  const gutter = ' '.repeat(String(line).length)
  const excerpt = excerptAround(lineText(source.lines, line), problem)
  return [
    `${paint.strong(`${visible(file)}:${line}:${column}:`)} ${mark(`${severity}:`)} ${visible(message)}`,
    `${paint.dim(`${line} |`)} ${excerpt.text}`,
    `${paint.dim(`${gutter} |`)} ${mark(excerpt.marks)}`,
    ...(suggestion === undefined ? [] : [`${paint.dim(`${gutter} =`)} ${visible(suggestion)}`]),
    '',
  ].join('\n')
}

/** A window of a line that may be very long. */
function excerptAround(line: string, { column, length }: Problem): { readonly text: string; readonly marks: string } {
  const hidden = maskedKeys(line)
  const from = column > widest - 20 ? column - 1 - 20 : 0
  const to = Math.min(hidden.length, from + widest)
  const lead = from > 0 ? '…' : ''
  const marked = hidden.slice(column - 1, Math.min(column - 1 + length, to))
  return {
    text: `${lead}${visible(expandTabs(hidden.slice(from, to)))}${to < hidden.length ? '…' : ''}`,
    marks: `${lead && ' '}${' '.repeat(width(hidden.slice(from, column - 1)))}${'^'.repeat(Math.max(1, width(marked)))}`,
  }
}

function expandTabs(text: string): string {
  return text.replaceAll('\t', '  ')
}

const noWidth = /\p{Mn}|\p{Me}|\u200d|\ufe0f/u
const doubleWidth =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u

/** The number of terminal columns. */
function width(text: string): number {
  let columns = 0
  for (const character of text) {
    if (character === '\t' || doubleWidth.test(character)) columns += 2
    else if (!noWidth.test(character)) columns += 1
  }
  return columns
}
