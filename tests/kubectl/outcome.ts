import { expect } from 'vitest'

/** The output of a command and its exit code. */
export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Exactly these lines, and no error. */
export function printed(...lines: readonly string[]): Outcome {
  return { code: 0, stdout: joined(lines), stderr: '' }
}

/** Only this error, and a failure. */
export function refused(...lines: readonly string[]): Outcome {
  return { code: 1, stdout: '', stderr: joined(lines) }
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

/** The cells of a printed table, its header first. Ages read `<age>`: only they depend on when the command ran. */
export function cellsOf(table: string): readonly (readonly string[])[] {
  const lines = table.split('\n').filter((line) => line !== '')
  const starts = [...(lines[0] ?? '').matchAll(/(?:^|(?<=\s\s))\S/g)].map((match) => match.index)
  return lines.map((line) => starts.map((start, index) => ageless(line.slice(start, starts[index + 1]).trim())))
}

function ageless(cell: string): string {
  return /^(\d+[smhd])+$/.test(cell) ? '<age>' : cell
}

/** The changed lines of a diff, without the names of the files. */
export function changedLines(diff: string): readonly string[] {
  return diff.split('\n').filter((line) => /^[-+](?![-+]{2} )/.test(line))
}

/** The messages about deleted objects; newer versions add the namespace. */
export function deleted(...objects: readonly string[]): Outcome {
  const line = (object: string) => `${object.replaceAll('.', '\\.')} deleted( from \\S+ namespace)?\n`
  return { code: 0, stdout: expect.stringMatching(new RegExp(`^${objects.map(line).join('')}$`)), stderr: '' }
}
