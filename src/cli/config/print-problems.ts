import { createColors } from 'picocolors'
import type { Problem } from '../../api/tenant-config/problem.ts'
import { noPaint, type Paint, renderProblems } from '../../api/tenant-config/render.ts'
import type { CheckedConfig } from '../../patches/config/check-config.ts'
import { sayPainted } from '../output/messages.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Problems are messages, so they go to stderr. */
export function printProblems({ document, problems }: CheckedConfig, terminal: Terminal): void {
  if (problems.length > 0) sayPainted(terminal, renderProblems(problems, document, paintFor(terminal)))
}

/** `2 errors and 1 warning`. */
export function countProblems(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length
  return [counted(errors, 'error'), counted(problems.length - errors, 'warning')]
    .filter((part) => part !== '')
    .join(' and ')
}

function counted(count: number, word: string): string {
  return count === 0 ? '' : `${count} ${word}${count === 1 ? '' : 's'}`
}

function paintFor({ stderr, env }: Terminal): Paint {
  if (stderr.isTTY !== true || env.NO_COLOR) return noPaint
  const { red, yellow, bold, dim } = createColors(true)
  return { error: red, warning: yellow, strong: bold, dim }
}
