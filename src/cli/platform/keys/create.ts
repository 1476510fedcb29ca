import { errorText } from '../../../base/error-text.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import { parseYaml } from '../../../base/json/yaml.ts'
import { ownYaml } from '../../../base/json/yaml-compose.ts'
import type { JsonBody } from '../../../client/command/api-client.ts'
import { say } from '../../output/messages.ts'
import { readInputText } from '../../terminal/read-text.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { onPlatform } from '../session.ts'
import { keyManifest } from './key-manifest.ts'
import type { KeyCreateOptions } from './options.ts'
import { showOnce } from './shown-once.ts'

export async function create(options: KeyCreateOptions, terminal: Terminal): Promise<void> {
  const file = options.file === undefined ? {} : await readManifest(options.file, terminal)
  await onPlatform(options, terminal, async ({ client, path, apiVersion, platform }) => {
    const body = keyManifest(options, file, apiVersion)
    showOnce(await client.ask({ method: 'POST', path: `${path}/ownedaccesskeys`, body }), options, terminal)
    if (options.output === 'table' && !options.quiet)
      say(terminal, `Log in with it: tenant platform login ${platform.url} --access-key-stdin`)
  })
}

/** The object in a file. Errors name the position but do not show the text, which may contain a key. */
async function readManifest(file: string, terminal: Terminal): Promise<JsonBody> {
  const { text, name } = await readInputText(file, terminal)
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
    throw new Error(`${name}: ${errorText(error)}`)
  }
}
