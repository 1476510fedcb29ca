import { isJsonObject } from '../../../base/json/member.ts'
import { parseYaml } from '../../../base/json/yaml.ts'
import { ownYaml } from '../../../base/json/yaml-compose.ts'
import type { JsonBody } from '../../../client/command/api-client.ts'
import { readText } from '../../terminal/read-text.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/** The object in a file. What is wrong with the text is told by its place: it may hold a key. */
export async function readManifest(file: string, terminal: Terminal): Promise<JsonBody> {
  const { text, name } = await readText(file, terminal)
  const value = parsed(text, name)
  if (!isJsonObject(value)) throw new Error(`${name} holds no object`)
  const { kind = 'OwnedAccessKey' } = value
  if (kind === 'OwnedAccessKey') return value
  throw new Error(`${name} holds a ${String(kind)}, not an OwnedAccessKey`)
}

function parsed(text: string, name: string): unknown {
  try {
    return parseYaml(text, ownYaml).value
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : error}`)
  }
}
