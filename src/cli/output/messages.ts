import type { Terminal } from '../terminal/terminal.ts'
import { messageColors } from './colors.ts'
import { visible } from './visible.ts'

/** Messages go to stderr: stdout is for data alone. */
export function say(terminal: Terminal, text: string): void {
  terminal.stderr.write(`${text}\n`)
}

export function warn(terminal: Terminal, text: string): void {
  say(terminal, `${messageColors(terminal).yellow('warning:')} ${visible(text)}`)
}
