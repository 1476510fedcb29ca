import { jsonText } from '../../../base/json/json-text.ts'
import { toYaml } from '../../../base/json/to-yaml.ts'
import { onHost } from '../../host/host-cluster.ts'
import { say, warn } from '../../output/messages.ts'
import { print } from '../../output/print.ts'
import { createProgress } from '../../output/progress.ts'
import { interruptible } from '../../terminal/interruption.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { checkServeOptions } from './check-serve-options.ts'
import { checkSettings } from './check-settings.ts'
import { installedText, showAdminKey } from './installed-text.ts'
import { platformManifests, platformNamespace } from './manifests/all.ts'
import { secretVolumes } from './manifests/secret-volumes.ts'
import type { InstallOptions } from './options.ts'
import { rollOut } from './roll-out.ts'
import { settingsOf, usualFacts } from './settings.ts'

export async function installPlatform(options: InstallOptions, terminal: Terminal): Promise<void> {
  if (options.dryRun) return printPlatform(options, terminal)
  await interruptible(terminal, (signal) => installOnHost(options, terminal, signal))
}

async function installOnHost(options: InstallOptions, terminal: Terminal, signal: AbortSignal): Promise<void> {
  await onHost(options, terminal, async ({ client: host }) => {
    const progress = await createProgress(terminal, signal)
    let hasNewKey = false
    const onAdminKey = (value: string) => {
      hasNewKey = true
      showAdminKey(value, progress, terminal)
    }
    try {
      const { settings, kept } = await rollOut(host, options, { terminal, progress, signal, onAdminKey })
      progress.stop()
      for (const { field, message } of kept) warn(terminal, `${field} stays as it is: ${message}`)
      print(terminal, installedText({ settings, options, hasNewKey }))
    } finally {
      progress.stop()
    }
  })
}

/** What would be applied, for kubectl or a repository: the same for the same options. No cluster is asked. */
function printPlatform({ namespace, choices, output }: InstallOptions, terminal: Terminal): void {
  const settings = settingsOf(namespace, choices, usualFacts)
  checkSettings(settings)
  checkServeOptions(settings, terminal)
  const manifests = [platformNamespace(namespace), ...platformManifests(settings)]
  const list = { apiVersion: 'v1', kind: 'List', items: manifests }
  print(terminal, output === 'json' ? jsonText(list) : manifests.map(toYaml).join('---\n'))
  const secrets = secretVolumes(settings).map(({ secretName }) => secretName)
  say(terminal, `The Secrets ${secrets.join(', ')} are not part of it: make them with tenant platform prepare.`)
}
