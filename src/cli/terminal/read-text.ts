import { createReadStream } from 'node:fs'
import { decodeUtf8 } from '../../base/json/utf8.ts'
import type { Terminal } from './terminal.ts'

/** The longest legitimate input, a list of a million revoked keys, is shorter. */
const mostBytes = 128 * 1024 * 1024

/** A file or, for `-`, standard input, and its name in messages. */
export async function readInputText(
  file: string,
  terminal: Terminal,
): Promise<{ readonly text: string; readonly name: string }> {
  const name = file === '-' ? '<stdin>' : file
  try {
    return { name, text: decodeUtf8(await readAll(file === '-' ? terminal.stdin : createReadStream(file))) }
  } catch (error) {
    throw new Error(`cannot read ${name}: ${whyUnreadable(error)}`)
  }
}

/** Limits the input, in case it is a device or the output of a program that never ends. */
async function readAll(stream: Terminal['stdin']): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of stream ?? []) {
    const piece = Buffer.from(chunk)
    bytes += piece.length
    if (bytes > mostBytes) throw new Error(`it is larger than ${mostBytes} bytes`)
    chunks.push(piece)
  }
  return Buffer.concat(chunks)
}

/** In the words of a user, where Node has those of the system. */
export function whyUnreadable(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EISDIR') return 'it is a directory'
  return code === 'EACCES' ? 'permission denied' : error.message
}
