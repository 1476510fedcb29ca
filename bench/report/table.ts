import type { Row } from '../contract.ts'

const columns = ['scenario', 'ours', 'peer', 'unit', 'ratio', 'target', 'verdict'] as const
const textColumns: ReadonlySet<string> = new Set(['scenario', 'unit', 'target', 'verdict'])

export type Verdict = 'met' | 'missed' | ''

export function verdictOf({ ratio, target }: Row): Verdict {
  if (target === undefined || ratio === undefined) return ''
  return (target.comparison === 'at least' ? ratio >= target.ratio : ratio <= target.ratio) ? 'met' : 'missed'
}

/** A Markdown table whose columns line up in a terminal too. */
export function printTable(rows: readonly Row[]): string {
  const cells = [columns, ...rows.map(cellsOf)]
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)))
  const rule = columns.map((name, index) => {
    const dashes = '-'.repeat((widths[index] ?? 0) - 1)
    return textColumns.has(name) ? `${dashes}-` : `${dashes}:`
  })
  const lines = [cells[0] ?? [], rule, ...cells.slice(1)]
  return lines.map((line) => printLine(line, widths)).join('')
}

function printLine(line: readonly string[], widths: readonly number[]): string {
  const padded = line.map((cell, index) => {
    const width = widths[index] ?? 0
    return textColumns.has(columns[index] ?? '') ? cell.padEnd(width) : cell.padStart(width)
  })
  return `| ${padded.join(' | ')} |\n`
}

function cellsOf(row: Row): readonly string[] {
  const { scenario, unit, ours, peer, ratio } = row
  return [scenario, printNumber(ours), optional(peer), unit, optional(ratio), targetText(row), verdictOf(row)]
}

function optional(value: number | undefined): string {
  return value === undefined ? '' : printNumber(value)
}

function printNumber(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

function targetText({ target }: Row): string {
  if (target === undefined) return ''
  return `${target.comparison === 'at least' ? '≥' : '≤'} ${printNumber(target.ratio)}`
}
