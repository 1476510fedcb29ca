import { type Keyring, readKeyring } from '../../backup/envelope/keyring.ts'
import { readInputText } from '../terminal/read-text.ts'
import type { Terminal } from '../terminal/terminal.ts'

export async function readKeyFile(file: string, terminal: Terminal): Promise<Keyring> {
  const { text, name } = await readInputText(file, terminal)
  return readKeyring(text, name)
}
