import { say } from '../../output/messages.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { onPlatform } from '../session.ts'
import { keyManifest } from './key-manifest.ts'
import type { CreateOptions } from './options.ts'
import { readManifest } from './read-manifest.ts'
import { showOnce } from './shown-once.ts'

export async function create(options: CreateOptions, terminal: Terminal): Promise<void> {
  const file = options.file === undefined ? {} : await readManifest(options.file, terminal)
  await onPlatform(options, terminal, async ({ client, path, apiVersion, platform }) => {
    const body = keyManifest(options, file, apiVersion)
    showOnce(await client.ask({ method: 'POST', path: `${path}/ownedaccesskeys`, body }), options, terminal)
    if (options.output === 'table' && !options.quiet)
      say(terminal, `Log in with it: tenant platform login ${platform.url} --access-key-stdin`)
  })
}
