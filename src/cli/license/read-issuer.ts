import { existsSync } from 'node:fs'
import { errorText } from '../../base/error-text.ts'
import { printEd25519PublicKey, readEd25519PublicKey } from '../../base/keys/ed25519.ts'
import { readInputText } from '../terminal/read-text.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** The public key of an issuer, or a file with it, as one line. */
export async function readIssuer(given: string, terminal: Terminal): Promise<string> {
  const text = existsSync(given) ? (await readInputText(given, terminal)).text : given
  try {
    return printEd25519PublicKey(readEd25519PublicKey(text))
  } catch (error) {
    throw new Error(`cannot use --license-issuer: ${errorText(error)}`)
  }
}
