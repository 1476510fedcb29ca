import { visible } from '../../base/unseen.ts'
import type { Colors } from './colors.ts'
import { type DiffLine, diffLines } from './line-diff.ts'

const contextLines = 3

export interface DiffLabels {
  readonly before: string
  readonly after: string
}

interface Hunk {
  readonly from: number
  readonly to: number
}

/** A unified diff of two texts, empty if they are equal. */
export function unifiedDiff(before: string, after: string, labels: DiffLabels, colors: Colors): string {
  const lines = diffLines(splitLines(before), splitLines(after))
  const hunks = hunksOf(lines)
  if (hunks.length === 0) return ''
  const head = [colors.bold(visible(`--- ${labels.before}`)), colors.bold(visible(`+++ ${labels.after}`))]
  return `${[...head, ...hunks.flatMap((hunk) => printHunk(lines, hunk, colors))].join('\n')}\n`
}

function splitLines(text: string): readonly string[] {
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** Runs of changes with their context; runs that would touch are joined. */
function hunksOf(lines: readonly DiffLine[]): readonly Hunk[] {
  const hunks: Hunk[] = []
  for (const [position, line] of lines.entries()) {
    if (line.kind === 'same') continue
    const last = hunks.at(-1)
    const to = Math.min(lines.length, position + contextLines + 1)
    if (last !== undefined && position - contextLines <= last.to) hunks[hunks.length - 1] = { from: last.from, to }
    else hunks.push({ from: Math.max(0, position - contextLines), to })
  }
  return hunks
}

function printHunk(lines: readonly DiffLine[], hunk: Hunk, colors: Colors): readonly string[] {
  const shown = lines.slice(hunk.from, hunk.to)
  const before = range(lines.slice(0, hunk.from), shown, 'added')
  const after = range(lines.slice(0, hunk.from), shown, 'removed')
  return [colors.cyan(`@@ -${before} +${after} @@`), ...shown.map((line) => printLine(line, colors))]
}

function range(earlier: readonly DiffLine[], shown: readonly DiffLine[], absent: DiffLine['kind']): string {
  const start = earlier.filter((line) => line.kind !== absent).length
  const length = shown.filter((line) => line.kind !== absent).length
  return `${length === 0 ? start : start + 1},${length}`
}

function printLine({ kind, text }: DiffLine, colors: Colors): string {
  switch (kind) {
    case 'same':
      return ` ${visible(text)}`
    case 'removed':
      return colors.red(`-${visible(text)}`)
    case 'added':
      return colors.green(`+${visible(text)}`)
  }
}
