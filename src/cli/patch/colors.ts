import { createColors } from 'picocolors'
import type { Terminal } from '../terminal.ts'

export interface Colors {
  bold(text: string): string
  cyan(text: string): string
  green(text: string): string
  red(text: string): string
  yellow(text: string): string
}

/** Colours for people only: a file or a pipe gets plain text. */
export function colorsFor(terminal: Terminal): Colors {
  return createColors(terminal.stdout.isTTY === true && !terminal.env.NO_COLOR)
}
