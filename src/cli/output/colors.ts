import { createColors } from 'picocolors'
import type { Terminal } from '../terminal/terminal.ts'

export interface Colors {
  bold(text: string): string
  dim(text: string): string
  cyan(text: string): string
  green(text: string): string
  red(text: string): string
  yellow(text: string): string
}

/** Colors for messages on a terminal; a file or a pipe gets plain text. */
export function messageColors({ stderr, env }: Terminal): Colors {
  return createColors(stderr.isTTY === true && !env.NO_COLOR)
}

/** The same for stdout. */
export function dataColors({ stdout, env }: Terminal): Colors {
  return createColors(stdout.isTTY === true && !env.NO_COLOR)
}
