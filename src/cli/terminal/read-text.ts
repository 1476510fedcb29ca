import { readFile } from 'node:fs/promises'
import { decodeUtf8 } from '../../base/json/utf8.ts'
import type { Terminal } from './terminal.ts'

/** A file or, for `-`, standard input, and what to call it in messages. */
export async function readInputText(
  file: string,
  terminal: Terminal,
): Promise<{ readonly text: string; readonly name: string }> {
  const name = file === '-' ? '<stdin>' : file
  try {
    const bytes = file === '-' ? await readAll(terminal.stdin) : await readFile(file)
    return { name, text: decodeUtf8(bytes) }
  } catch (error) {
    throw new Error(`cannot read ${name}: ${reasonOf(error)}`)
  }
}

async function readAll(stream: Terminal['stdin']): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream ?? []) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EISDIR') return 'it is a directory'
  return code === 'EACCES' ? 'permission denied' : error.message
}
