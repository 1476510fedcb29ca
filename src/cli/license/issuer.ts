import type { KeyObject } from 'node:crypto'
import { errorText } from '../../base/error-text.ts'
import { generateEd25519Pem, printEd25519PublicKey, readEd25519PrivateKey } from '../../base/keys/ed25519.ts'
import { keptSecret } from '../../cluster/identity/kept-secret.ts'
import { print } from '../output/print.ts'
import { readInputText } from '../terminal/read-text.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { IssuerOptions } from './options.ts'

export async function printIssuer({ key, create }: IssuerOptions, terminal: Terminal): Promise<void> {
  if (create === true) await keptSecret(key, async () => generateEd25519Pem())
  print(terminal, `${printEd25519PublicKey(await readIssuerKey(key, terminal))}\n`)
}

export async function readIssuerKey(file: string, terminal: Terminal): Promise<KeyObject> {
  const { text, name } = await readInputText(file, terminal)
  try {
    return readEd25519PrivateKey(text)
  } catch (error) {
    throw new Error(`cannot use ${name}: ${errorText(error)}`)
  }
}
