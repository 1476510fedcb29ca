import { visibleLines } from '../../base/unseen.ts'
import type { Terminal } from './terminal.ts'

/** Asks the user on the terminal. */
export interface Prompt {
  /** Undefined: the input ended. */
  ask(question: string): Promise<string | undefined>
  /** The input is not shown. */
  askHidden(question: string): Promise<string | undefined>
  /** Releases the input, so that the process can end. */
  close(): Promise<void>
}

/** Undefined without a terminal: a question to a script would wait forever or consume its input. */
export function createPrompt({ stdin, stderr }: Terminal): Prompt | undefined {
  if (stdin?.isTTY !== true || stderr.isTTY !== true) return undefined
  const characters = charactersOf(stdin)
  return {
    ask: (question) => {
      stderr.write(visibleLines(question))
      return readLine(characters)
    },
    askHidden: async (question) => {
      stdin.setRawMode?.(true)
      try {
        stderr.write(visibleLines(question))
        return await readLine(characters)
      } finally {
        stdin.setRawMode?.(false)
        stderr.write('\n')
      }
    },
    close: async () => {
      await characters.return(undefined)
    },
  }
}

export async function confirmed(prompt: Prompt, question: string): Promise<boolean> {
  const answer = await prompt.ask(`${question} [y/N] `)
  return /^y(?:es)?$/i.test(answer?.trim() ?? '')
}

async function* charactersOf(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  for await (const chunk of input) {
    yield* typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
  }
}

const interrupt = '\u0003'
const endOfInput = '\u0004'
const erase: readonly string[] = ['\u007f', '\b']

/** Handles the editing keys that a terminal in raw mode leaves to the reader. */
async function readLine(characters: AsyncGenerator<string, void>): Promise<string | undefined> {
  let line = ''
  for (;;) {
    const { done, value: character } = await characters.next()
    if (done || character === endOfInput) return line === '' ? undefined : line
    if (character === '\n' || character === '\r') return line
    if (character === interrupt) throw new Error('interrupted')
    line = erase.includes(character) ? line.slice(0, -1) : line + character
  }
}
