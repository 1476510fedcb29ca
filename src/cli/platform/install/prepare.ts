import { ensureNamespace } from '../../host/apply/ensure-namespace.ts'
import { onHost } from '../../host/host-cluster.ts'
import { say } from '../../output/messages.ts'
import { createProgress } from '../../output/progress.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { checkSettings } from './check-settings.ts'
import { showAdminKey } from './installed-text.ts'
import { platformNamespace } from './manifests/all.ts'
import type { PrepareOptions } from './options.ts'
import { refuseTenantNamespace } from './refuse-tenant-namespace.ts'
import { hasRunningKeys } from './running-keys.ts'
import { ensureSecrets } from './secrets.ts'
import { settingsOf, usualFacts } from './settings.ts'

/** Creates the namespace and the Secrets, for an installation that is applied by other means. */
export async function preparePlatform(options: PrepareOptions, terminal: Terminal): Promise<void> {
  const settings = settingsOf(options.namespace, options.choices, usualFacts)
  checkSettings(settings)
  await onHost(options, terminal, async ({ client: host }) => {
    const progress = await createProgress(terminal)
    try {
      await refuseTenantNamespace(host, options.namespace)
      progress.step(`Namespace ${options.namespace}`)
      await ensureNamespace(host, platformNamespace(options.namespace), { progress, patienceMs: 0 })
      const hasNewKey = await ensureSecrets(host, settings, {
        progress,
        keptStore: (await hasRunningKeys(host, options.namespace)) ? 'encrypted' : undefined,
        onAdminKey: (value) => showAdminKey(value, progress, terminal),
      })
      if (!hasNewKey) say(terminal, 'The Secrets are there already.')
    } finally {
      progress.stop()
    }
  })
}
