import { effectiveConfig } from '../../../api/tenant-config/defaults.ts'
import { ownConfig } from '../../../api/tenant-config/parse.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import type { KubeClient } from '../../../client/contract.ts'
import { checkConfig } from '../../../patches/config/check-config.ts'
import { objectNames } from '../../create/manifests/names.ts'
import { existing } from '../../host/objects.ts'
import type { LocalTenant } from '../../local-platforms/local-tenant.ts'
import type { DoctorCheck } from '../examination.ts'
import { known } from '../examination.ts'
import { failed, ok } from '../finding.ts'
import { notRunHere } from '../not-run-here.ts'

/** The configuration that the virtual cluster has on its host, unless one was given. */
export const checkConfiguration: DoctorCheck = {
  name: 'configuration',
  needs: ['host'],
  run: async ({ host, name, namespace, config, local }) => {
    if (config !== undefined) return { finding: ok('configuration', 'the given file is valid') }
    const { shown, text, isThere } =
      local === undefined ? await onHost(known(host), name, namespace) : ofTenantUp(local)
    if (text === undefined) {
      const fix = `create it (tenant create ${name} -n ${namespace}), or give its configuration with -f`
      const unknown = `${notRunHere({ name, namespace })}, and ${known(host).origin} does not have ${shown}`
      const detail = isThere ? `${shown} has no tenant.yaml` : unknown
      return { finding: failed('configuration', detail, fix) }
    }
    const checked = checkConfig(text, 'tenant.yaml', ownConfig)
    if (checked.config === undefined) {
      const [first] = checked.problems
      const detail = `tenant.yaml in ${shown}: ${first?.line}:${first?.column}: ${first?.message}`
      return { finding: failed('configuration', detail, 'correct it, and apply it with tenant create --upgrade') }
    }
    return {
      finding: ok('configuration', `tenant.yaml in ${shown} is valid`),
      learned: { config: effectiveConfig(checked.config) },
    }
  },
}

interface StoredConfig {
  readonly isThere: boolean
  readonly shown: string
  readonly text: string | undefined
}

async function onHost(host: KubeClient, name: string, namespace: string): Promise<StoredConfig> {
  const metadata = { name: objectNames.config(name), namespace }
  const secret = await existing(host, { apiVersion: 'v1', kind: 'Secret', metadata })
  const encoded = isJsonObject(secret?.data) ? secret.data['tenant.yaml'] : undefined
  return {
    isThere: secret !== undefined,
    shown: `the Secret ${metadata.name} of namespace ${namespace}`,
    text: typeof encoded === 'string' ? Buffer.from(encoded, 'base64').toString('utf8') : undefined,
  }
}

function ofTenantUp({ record: { project, name, config } }: LocalTenant): StoredConfig {
  return { isThere: true, shown: `spec.config of the virtual cluster ${name} of project ${project}`, text: config }
}
