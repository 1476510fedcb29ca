import { effectiveConfig } from '../../../api/tenant-config/defaults.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import { checkConfig } from '../../../patches/config/check-config.ts'
import { objectNames } from '../../create/manifests/names.ts'
import { existing } from '../../host/objects.ts'
import type { Check } from '../examination.ts'
import { known } from '../examination.ts'
import { failed, ok } from '../finding.ts'

/** The configuration that the virtual cluster has on its host, unless one was given. */
export const checkConfiguration: Check = {
  name: 'configuration',
  needs: ['host'],
  run: async ({ host, name, namespace, config }) => {
    if (config !== undefined) return { finding: ok('configuration', 'the given file is valid') }
    const metadata = { name: objectNames.config(name), namespace }
    const shown = `the Secret ${metadata.name} of namespace ${namespace}`
    const secret = await existing(known(host), { apiVersion: 'v1', kind: 'Secret', metadata })
    const encoded = isJsonObject(secret?.data) ? secret.data['tenant.yaml'] : undefined
    if (typeof encoded !== 'string') {
      const fix = `create it (tenant create ${name} -n ${namespace}), or give its configuration with -f`
      return { finding: failed('configuration', `${shown} is not there, or has no tenant.yaml`, fix) }
    }
    const checked = checkConfig(Buffer.from(encoded, 'base64').toString('utf8'), 'tenant.yaml')
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
