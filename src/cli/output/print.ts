import { visibleLines } from '../../base/unseen.ts'
import type { Terminal } from '../terminal/terminal.ts'

/**
 * Commands write to stdout only through this function. Control characters are replaced, whatever the source of the
 * text.
 */
export function print({ stdout }: Pick<Terminal, 'stdout'>, text: string): void {
  stdout.write(visibleLines(text))
}

/** The same for colored text: colors are the only controls that stay. */
export function printPainted({ stdout }: Pick<Terminal, 'stdout'>, text: string): void {
  stdout.write(visiblePainted(text))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what begins a color
const color = /(\u001b\[[\d;]*m)/

/** Text is made visible before it is colored, so all colors are our own. */
export function visiblePainted(text: string): string {
  return text
    .split(color)
    .map((part, index) => (index % 2 === 1 ? part : visibleLines(part)))
    .join('')
}
