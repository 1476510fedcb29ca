import { expect, it } from 'vitest'
import { readInputText } from './read-text.ts'
import type { Terminal } from './terminal.ts'

const silent = { write: () => true }
const chunk = Buffer.alloc(4 * 1024 * 1024, ' ')

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield chunk
}

function terminalWith(stdin: Terminal['stdin']): Terminal {
  return { stdout: silent, stderr: silent, env: {}, ...(stdin && { stdin }) }
}

it.each(['-', '/dev/zero'])('an endless %s is not read forever', async (file) => {
  await expect(readInputText(file, terminalWith(endless()))).rejects.toThrow('it is larger than')
})

it.each([
  [`${import.meta.dirname}/missing`, 'there is no such file'],
  ['/', 'it is a directory'],
])('%s is refused with a clear message', async (file, words) => {
  await expect(readInputText(file, terminalWith(undefined))).rejects.toThrow(`cannot read ${file}: ${words}`)
})
