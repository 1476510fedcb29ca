import { visible, visibleLines } from '../../base/unseen.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { messageColors } from './colors.ts'
import { visiblePainted } from './print.ts'

/** Messages go to stderr; stdout is only for data. Control characters are replaced, wherever the text comes from. */
export function say({ stderr }: Pick<Terminal, 'stderr'>, text: string): void {
  stderr.write(`${visibleLines(text)}\n`)
}

/** The same for colored text. */
export function sayPainted({ stderr }: Pick<Terminal, 'stderr'>, text: string): void {
  stderr.write(`${visiblePainted(text)}\n`)
}

export function warn(terminal: Terminal, text: string): void {
  sayPainted(terminal, `${messageColors(terminal).yellow('warning:')} ${visible(text)}`)
}
